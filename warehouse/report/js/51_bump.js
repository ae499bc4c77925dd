// The bump chart: ranks across schemes, and which changes of order the evidence supports.
// Rank among the configurations shown; ties share the mean.
const among = (suite, row) => place(suite.rankings.filter((one) => one.protocol === row.protocol && one.weight_set === row.weight_set && one.scheme === row.scheme && has(one.rank)).map((one) => one.value), row.value);

function bumpFigure(suite, state) {
  const set = state.set;
  const list = suite.rankings.filter((row) => row.protocol === state.protocol && row.weight_set === set);
  const schemes = unique(list.map((row) => row.scheme)).sort((a, b) => SCHEME_ORDER.indexOf(a) - SCHEME_ORDER.indexOf(b));
  const flips = supportedFlips(suite, state.protocol, set);
  const flipped = new Set(flips.flatMap((flip) => flip.points.map(([scheme, label]) => `${scheme}|${label}`)));
  const data = list.filter((row) => has(row.rank)).map((row) => {
    const name = suite.label(row.configuration_id);
    return { scheme: words(row.scheme), name, rank: suite.narrowed ? among(suite, row) : row.rank, q: row.value, best: row.p_best, supported: flipped.has(`${row.scheme}|${name}`) ? 'supported' : 'not supported' };
  });
  if (!data.length) return h('p', { class: 'note' }, 'No configuration is ranked under this weight set.');
  const make = (width) => {
    const narrow = width < 620;
    const x = { field: 'scheme', type: 'nominal', sort: schemes.map(words), title: null, axis: { labelAngle: narrow ? -60 : 0, labelLimit: 120, labelExpr: "replace(datum.label, ' priority', '')" }, scale: { type: 'point', padding: 0.3 } };
    const highest = Math.max(...data.map((row) => row.rank));
    const y = { field: 'rank', type: 'quantitative', scale: { reverse: true, domain: [0.5, highest + 0.5], nice: false }, axis: { values: Array.from({ length: Math.ceil(highest) }, (_, i) => i + 1), format: 'd' }, title: 'rank' };
    const direct = !narrow && unique(data.map((row) => row.name)).length <= 12;
    const paint = { field: 'name', type: 'nominal', title: null, legend: direct ? null : { orient: 'bottom', columns: narrow ? 1 : 3 }, ...marks(suite.labels, suite.all).color };
    const tooltip = [{ field: 'name', title: 'configuration' }, { field: 'scheme' }, { field: 'rank' }, { field: 'q', title: 'Q', format: '.3f' }, { field: 'best', title: 'P(best)', format: '.0%' }];
    return {
      data: { values: data },
      width: Math.max(200, width - (direct ? 240 : 70)),
      height: Math.max(140, Math.min(460, 46 * highest)),
      layer: [
        { mark: { aria: false, type: 'line', strokeWidth: 2.5 }, encoding: { x, y, color: paint } },
        { transform: [{ filter: "datum.supported == 'supported'" }], mark: { aria: false, type: 'point', size: 420, strokeWidth: 2, filled: false, shape: 'circle' }, encoding: { x, y, color: { value: colour('--ink') } } },
        { mark: { type: 'point', filled: true, size: 110, opacity: 1 }, encoding: { x, y, color: paint, shape: { field: 'name', type: 'nominal', title: null, legend: direct ? null : undefined, ...marks(suite.labels, suite.all).shape }, tooltip } },
        ...(direct ? [{ transform: [{ filter: { field: 'scheme', equal: words(schemes.at(-1)) } }], mark: { aria: false, type: 'text', align: 'left', dx: 16, limit: 170 }, encoding: { x, y, text: { field: 'name' } } }] : []),
      ],
    };
  };
  const behind = () => dataTable({
    caption: `Ranks under the ${set} schemes`,
    columns: [{ key: 'scheme', label: 'Scheme' }, { key: 'name', label: 'Configuration', head: true }, { key: 'rank', label: 'Rank', numeric: true }, { key: 'q', label: 'Q', numeric: true, cell: (row) => number(row.q) }, { key: 'best', label: 'P(best)', numeric: true, cell: (row) => percent(row.best) }],
    list: data,
  });
  const told = flips.length
    ? h('ul', { class: 'sure' }, flips.map((flip) => h('li', flip.text)))
    : h('p', { class: 'note' }, 'No change of order between two schemes is supported by the evidence (95 % of draws on each side): treat crossings as noise.');
  return h('div', figure({ title: `Ranks across the ${set} schemes, ${state.protocol} protocol`, make, behind, note: 'Ringed: a change of order that 95 % of draws support on both sides.' }), told);
}

// Changes of order that the evidence supports, one per pair of configurations, with the schemes on either side.
function supportedFlips(suite, protocol, set) {
  const ids = new Set(suite.configurations.map((one) => one.configuration_id));
  const shown = rows(suite.tables.inversions).filter((row) => row.protocol === protocol && row.weight_set === set && ids.has(row.configuration_id_a) && ids.has(row.configuration_id_b));
  const sides = shown.flatMap((row) => [
    { first: row.configuration_id_a, second: row.configuration_id_b, scheme: row.scheme_a, p: row.p_first_above },
    { first: row.configuration_id_b, second: row.configuration_id_a, scheme: row.scheme_b, p: row.p_second_above },
  ]);
  const perPair = grouped(sides, (side) => JSON.stringify([side.first, side.second].sort()));
  return [...perPair.values()].map((pair) => {
    const [one, other] = [...grouped(pair, (side) => side.first).values()].sort((a, b) => unique(b.map((side) => side.scheme)).length - unique(a.map((side) => side.scheme)).length);
    return { points: pair.flatMap((side) => [[side.scheme, suite.label(side.first)], [side.scheme, suite.label(side.second)]]), text: `${sideText(suite, one)}, but ${sideText(suite, other)}.` };
  });
}

function sideText(suite, side) {
  const schemes = unique(side.map((one) => one.scheme)).sort((a, b) => SCHEME_ORDER.indexOf(a) - SCHEME_ORDER.indexOf(b));
  return `${suite.label(side[0].first)} is above ${suite.label(side[0].second)} under ${schemes.map(words).join(', ')} (in at least ${percent(least(side.map((one) => one.p)))} of draws)`;
}
