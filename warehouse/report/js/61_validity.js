// Defend, continued: validity of the dimensions and comparisons.
function validity(suite, state) {
  const place = (row) => DIMENSIONS.indexOf(row.dimension_a) * 6 + DIMENSIONS.indexOf(row.dimension_b);
  const list = rows(suite.tables.validity).filter((row) => row.protocol === state.protocol).sort((a, b) => place(a) - place(b));
  if (!list.length) return h('p', { class: 'note' }, 'Not measured: no correlations between dimensions exist for this suite.');
  const wide = (row) => [least([row.fisher_low, row.bootstrap_low]), most([row.fisher_high, row.bootstrap_high])];
  const data = list.flatMap((row) => [[row.dimension_a, row.dimension_b], [row.dimension_b, row.dimension_a]].map(([a, b]) => ({ a: capital(a), b: capital(b), r: row.pearson, low: wide(row)[0], high: wide(row)[1], verdict: row.verdict ?? 'not measured', told: has(row.pearson) ? signed(row.pearson) : '\u2013', range: has(row.fisher_low) ? `${signed(wide(row)[0])} to ${signed(wide(row)[1])}` : 'no interval' })));
  const make = (width) => {
    const names = DIMENSIONS.map(capital);
    const narrow = width < 620;
    const label = narrow ? "slice(datum.label, 0, 4)" : 'datum.label';
    const x = { field: 'a', type: 'nominal', sort: names, title: null, axis: { orient: 'top', labelAngle: 0, labelExpr: label, grid: false } };
    const y = { field: 'b', type: 'nominal', sort: names, title: null, axis: { labelExpr: label, grid: false } };
    const tooltip = [{ field: 'a', title: 'pair' }, { field: 'b', title: 'and' }, { field: 'r', title: 'Pearson r', format: '+.3f' }, { field: 'low', format: '+.2f', title: '95 % from' }, { field: 'high', format: '+.2f', title: 'to' }, { field: 'verdict' }];
    const ink = { condition: { test: 'isValid(datum.r) && abs(datum.r) > 0.72', value: '#ffffff' }, value: '#111111' };
    const side = Math.min(width - (narrow ? 50 : 160), 900);
    return {
      data: { values: data },
      width: side,
      height: narrow ? side : 6 * 62,
      layer: [
        { mark: { type: 'rect', stroke: colour('--paper'), strokeWidth: 2 }, encoding: { x, y, tooltip, color: { field: 'r', type: 'quantitative', scale: { domain: [-1, 0, 1], range: ['#8c3b0c', '#f2f2ee', '#0b4f8a'] }, legend: narrow ? null : { title: 'r', gradientLength: 160 } } } },
        { mark: { aria: false, type: 'text', dy: narrow ? 0 : -15, fontSize: narrow ? 10 : 13, fontWeight: 600 }, encoding: { x, y, text: { field: 'told' }, color: ink } },
        ...(narrow ? [] : [['range', 2], ['verdict', 17]].map(([field, dy]) => ({ mark: { aria: false, type: 'text', dy, fontSize: 11 }, encoding: { x, y, text: { field }, color: ink } }))),
      ],
    };
  };
  const columns = [
    { key: 'dimension_a', label: 'Pair', head: true, class: 'tight', cell: (row) => `${SHORT[row.dimension_a]}\u2013${SHORT[row.dimension_b]}`, value: place, title: 'CQ correctness, CS consistency, RS robustness, LS coherence, ES efficiency, SS stability' },
    { key: 'pearson', label: 'Pearson r', numeric: true, cell: (row) => h('b', number(row.pearson)) },
    { key: 'fisher_low', label: 'Fisher 95 %', numeric: true, cell: (row) => interval(row.fisher_low, row.fisher_high, 2) },
    { key: 'bootstrap_low', label: 'Clustered by model 95 %', numeric: true, cell: (row) => interval(row.bootstrap_low, row.bootstrap_high, 2) },
    { key: 'spearman', label: 'Spearman rho', numeric: true, cell: (row) => number(row.spearman) },
    { key: 'paper_verdict', label: 'Paper (|r| < .50)' },
    { key: 'verdict', label: 'With intervals', cell: (row) => [h('b', row.verdict ?? '\u2013'), row.reason ? ` (${words(row.reason)})` : ''] },
    { key: 'partial', label: 'Given CQ', numeric: true, title: 'partial correlation given correctness', cell: (row) => number(row.partial, 2) },
    { key: 'n', label: 'n', numeric: true, title: 'observations: configuration x dataset' },
    { key: 'n_models', label: 'Models', numeric: true },
    { key: 'disattenuated', label: 'Disattenuated r', numeric: true, cell: (row) => `${number(row.disattenuated, 2)}${row.disattenuated_above_1 ? ' (above 1)' : ''}` },
    { key: 'item_r', label: 'Item-level r', numeric: true, cell: (row) => number(row.item_r, 2) },
    { key: 'htmt', label: 'HTMT', numeric: true, cell: (row) => number(row.htmt, 2) },
  ];
  const full = dataTable({ caption: `Correlations between dimensions, ${state.protocol} protocol`, columns, list });
  const reliable = dataTable({ caption: 'Reliability of each dimension (split halves, Spearman-Brown)', columns: [{ key: 'dimension', label: 'Dimension', head: true, cell: (row) => capital(row.dimension) }, { key: 'reliability', label: 'Reliability', numeric: true, cell: (row) => number(row.reliability) }, { key: 'n', label: 'Observations', numeric: true }, { key: 'n_splits', label: 'Splits', numeric: true }, { key: 'reason', label: 'Why none', cell: (row) => words(row.reason ?? '') }], list: rows(suite.tables.reliability).filter((row) => row.protocol === state.protocol), empty: 'Reliability was not measured.' });
  const decided = list.filter((row) => ['distinct', 'overlapping'].includes(row.verdict)).length;
  if (!list.some((row) => has(row.pearson))) return [h('p', { class: 'lead' }, `Not measured: ${count(most(list.map((row) => row.n)))} observations (configurations \u00d7 datasets) cannot tell six dimensions apart; correlations need four, with more than one value in each dimension.`), full, reliable];
  return [
    h('p', { class: 'lead' }, `${decided} of ${list.length} pairs are decided by their intervals; the paper\u2019s rule calls ${list.filter((row) => row.paper_verdict === 'distinct').length} distinct. Small panels leave most undecided, and that is what they are.`),
    figure({ title: `Correlation of dimensions over configurations and datasets, ${state.protocol} protocol`, make, note: 'In each cell: r, the wider of its two 95 % intervals, the verdict it supports.', behind: () => dataTable({ caption: 'Correlation and interval', columns: columns.slice(0, 4), list }) }),
    full,
    reliable,
  ];
}

const signed = (value) => `${value >= 0 ? '+' : '\u2212'}${Math.abs(value).toFixed(2)}`;
const least = (values) => values.filter(has).reduce((a, b) => Math.min(a, b), Infinity);
const most = (values) => values.filter(has).reduce((a, b) => Math.max(a, b), -Infinity);

function comparisons(suite, state) {
  const list = rows(suite.tables.comparisons).filter((row) => row.protocol === state.protocol);
  if (!list.length) return h('p', { class: 'note' }, 'Not measured: a comparison needs two configurations that share items in one suite.');
  const ids = unique(list.map((row) => row.configuration_id_a));
  const predecessor = predecessorOf(suite, ids);
  const holder = h('div');
  const chosen = { a: predecessor?.[0] ?? list[0].configuration_id_a, b: predecessor?.[1] ?? list[0].configuration_id_b };
  const show = () => {
    const pair = list.filter((row) => row.configuration_id_a === chosen.a && row.configuration_id_b === chosen.b);
    const sorted = pair.sort((x, y) => DIMENSIONS.indexOf(x.dimension) - DIMENSIONS.indexOf(y.dimension));
    holder.replaceChildren(comparisonTable(suite, chosen, sorted));
  };
  const pick = (side, label) => h('div', { class: 'field' }, h('label', { for: `compare-${side}` }, label), h('select', { id: `compare-${side}`, onchange: (event) => { chosen[side] = event.target.value; show(); } }, suite.configurations.filter((one) => ids.includes(one.configuration_id)).map((one) => h('option', { value: one.configuration_id, selected: one.configuration_id === chosen[side] }, one.label))));
  show();
  const told = predecessor ? `${suite.label(predecessor[1])} is the newer version of ${suite.label(predecessor[0])}.` : 'No configuration here has its predecessor in the same suite; choose any two.';
  return [h('p', { class: 'note' }, told), h('div', { class: 'fields' }, pick('a', 'Baseline'), pick('b', 'Candidate')), holder];
}

function predecessorOf(suite, ids) {
  for (const one of suite.configurations) {
    const before = has(one.predecessor) && suite.configurations.find((other) => other.model_version_id === one.predecessor && ids.includes(other.configuration_id));
    if (before) return [before.configuration_id, one.configuration_id];
  }
  return null;
}

function comparisonTable(suite, chosen, list) {
  const columns = [
    { key: 'dimension', label: 'Dimension', head: true, cell: (row) => capital(row.dimension) },
    { key: 'value_a', label: 'Baseline', numeric: true, cell: (row) => number(row.value_a) },
    { key: 'value_b', label: 'Candidate', numeric: true, cell: (row) => number(row.value_b) },
    { key: 'difference', label: 'Difference', numeric: true, cell: (row) => h('b', (row.difference > 0 ? '+' : '') + number(row.difference)) },
    { key: 'ci_low', label: '95 % interval', numeric: true, cell: (row) => interval(row.ci_low, row.ci_high) },
    { key: 'p_holm', label: 'p (Holm)', numeric: true, cell: (row) => number(row.p_holm) },
    { key: 'n_shared', label: 'Shared items', numeric: true },
    { key: 'n_won', label: 'Won / lost', numeric: true, cell: (row) => (has(row.n_won) ? `${row.n_won} / ${row.n_lost}` : '\u2013') },
    { key: 'minimal_detectable', label: 'Detectable from', numeric: true, title: 'difference found with 80 % power at this n', cell: (row) => number(row.minimal_detectable) },
    { key: 'verdict', label: 'Verdict', cell: (row) => [h('span', { class: `tag ${row.verdict}` }, row.verdict), row.reason ? ` ${words(row.reason)}` : ''] },
  ];
  return dataTable({ caption: `${suite.label(chosen.b)} against ${suite.label(chosen.a)}, paired by item`, columns, list, empty: chosen.a === chosen.b ? 'Choose two different configurations.' : 'These two share no items.' });
}
