// Plots of the Choose page.
function profileFigure(suite, state) {
  const names = () => state.order.map((row) => row.label);
  const data = () => [
    ...state.order.map((row) => ({ panel: 'Q (your weights)', name: row.label, value: row.value, low: row.low, high: row.high, sure: !row.reason, told: row.reason ? `unranked: ${row.reason}` : '' })),
    ...DIMENSIONS.flatMap((dimension) => suite.configurations.map(({ configuration_id: id, label }) => {
      const score = suite.score(state.protocol, id, 'all', dimension) ?? {};
      return { panel: capital(dimension), name: label, value: score.value, low: score.ci_low, high: score.ci_high, n: score.n, sure: score.status === 'scored', told: words(score.reason ?? '') };
    })),
  ];
  const make = (width) => {
    const shownData = data().filter((row) => has(row.value));
    const across = width > 900 ? 4 : width > 520 ? 2 : 1;
    const longest = Math.min(220, 8 * Math.max(6, ...names().map((name) => name.length)));
    const ends = shownData.flatMap((row) => [row.low ?? row.value, row.high ?? row.value]);
    const domain = [Math.min(0, ...ends), Math.max(1, ...ends)];
    const y = { field: 'name', type: 'nominal', sort: names(), title: null, axis: { labelLimit: 200, ticks: false, domain: false, grid: true } };
    const x = { field: 'value', type: 'quantitative', title: null, scale: { domain, nice: false }, axis: { values: [0, 0.25, 0.5, 0.75, 1], format: '.2~f' } };
    const tooltip = [{ field: 'name', title: 'configuration' }, { field: 'value', format: '.3f' }, { field: 'low', format: '.3f', title: '95 % from' }, { field: 'high', format: '.3f', title: 'to' }, { field: 'n', title: 'units' }, { field: 'told', title: 'note' }];
    const paint = { field: 'name', type: 'nominal', legend: null, ...marks(suite.labels, suite.all).color };
    return {
      data: { values: shownData },
      facet: { field: 'panel', type: 'nominal', sort: ['Q (your weights)', ...DIMENSIONS.map(capital)], title: null, header: { labelAnchor: 'start', labelFontSize: 13 } },
      columns: across,
      spacing: { row: 14, column: 20 },
      resolve: { axis: { x: 'independent' } },
      spec: {
        width: Math.max(110, Math.floor((width - longest - 24 * across) / across)),
        height: { step: 24 },
        layer: [
          { mark: { aria: false, type: 'rule', strokeWidth: 2.5 }, encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' }, color: paint } },
          { mark: { type: 'point', filled: true, size: 80, opacity: 1, strokeWidth: 2 }, encoding: { y, x, color: paint, stroke: paint, fillOpacity: { condition: { test: 'datum.sure', value: 1 }, value: 0 }, shape: { field: 'name', type: 'nominal', legend: null, ...marks(suite.labels, suite.all).shape }, tooltip } },
        ],
      },
    };
  };
  const behind = () => dataTable({
    caption: 'Scores with 95 % intervals, all datasets',
    columns: [{ key: 'panel', label: 'Score' }, { key: 'name', label: 'Configuration', head: true }, { key: 'value', label: 'Value', numeric: true, cell: (row) => number(row.value) }, { key: 'low', label: '95 % interval', numeric: true, cell: (row) => interval(row.low, row.high) }, { key: 'told', label: 'Note' }],
    list: data(),
  });
  return figure({ title: `Scores with 95 % intervals, ${state.protocol} protocol, all datasets`, make, behind, note: 'Dot: score. Line: 95 % interval. Hollow: too little coverage to rank. In order of Q; a missing dot is a score that could not be measured.' });
}

const COSTS = {
  __proto__: null,
  tokens_answer: ['output tokens per answer', (row) => (row.n_answered ? row.output_tokens / row.n_answered : null)],
  tokens_correct: ['output tokens per correct answer', (row) => row.tokens_per_correct],
  usd_thousand: ['USD per 1,000 answers', (row) => (row.n_answered && has(row.usd) ? (1000 * row.usd) / row.n_answered : null)],
  usd_correct: ['USD per correct answer', (row) => row.usd_per_correct],
};

// A label goes to the left of its point where one to the right would cover another's.
function sided(list) {
  const range = (key) => Math.max(1e-9, Math.max(...list.map((row) => row[key])) - Math.min(...list.map((row) => row[key])));
  const [costs, scores] = [range('cost'), range('q')];
  return list.map((row, i) => ({ ...row, align: list.slice(0, i).some((other) => Math.abs(other.q - row.q) < 0.07 * scores && Math.abs(other.cost - row.cost) < 0.25 * costs) ? 'right' : 'left' }));
}

function paretoFigure(suite, state) {
  const costs = new Map(rows(suite.tables.costs).filter((row) => row.dataset === 'all' && row.dimension === 'all').map((row) => [row.configuration_id, row]));
  const measured = Object.keys(COSTS).filter((key) => [...costs.values()].some((row) => has(COSTS[key][1](row))));
  if (!measured.length) return h('p', { class: 'note' }, 'Neither tokens nor prices are known for this suite: costs were not measured.');
  const chosen = () => (measured.includes(state.cost) ? state.cost : measured[0]);
  const data = () => {
    const list = state.order.filter((row) => !row.reason && costs.has(row.id)).map((row) => ({ name: row.label, q: row.value, low: row.low, high: row.high, cost: COSTS[chosen()][1](costs.get(row.id)) })).filter((row) => has(row.cost));
    return sided(list).map((row) => ({ ...row, front: list.some((other) => (other.cost < row.cost && other.q >= row.q) || (other.cost <= row.cost && other.q > row.q)) ? 'dominated' : 'on the front' }));
  };
  const make = (width) => {
    const x = { field: 'cost', type: 'quantitative', title: COSTS[chosen()][0], scale: { zero: false, nice: true, padding: 24 }, axis: { tickCount: Math.max(3, Math.round(width / 110)) } };
    const y = { field: 'q', type: 'quantitative', title: 'Q (your weights)', scale: { zero: false, nice: true } };
    const direct = width >= 620 && suite.labels.length <= 8;
    const paint = { field: 'name', type: 'nominal', title: null, legend: direct ? null : { orient: 'bottom', columns: width < 620 ? 1 : 3 }, ...marks(suite.labels, suite.all).color };
    const tooltip = [{ field: 'name', title: 'configuration' }, { field: 'q', title: 'Q', format: '.3f' }, { field: 'cost', title: COSTS[chosen()][0], format: ',.4~r' }, { field: 'front', title: 'Pareto' }];
    return {
      data: { values: data() },
      width: Math.max(200, width - (width >= 620 ? 130 : 70)),
      height: 320,
      layer: [
        { transform: [{ filter: "datum.front == 'on the front'" }], mark: { aria: false, type: 'line', interpolate: 'step-after', strokeDash: [5, 4], strokeWidth: 1.5 }, encoding: { x, y, color: { value: colour('--quiet') } } },
        { mark: { aria: false, type: 'rule', strokeWidth: 2 }, encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color: paint } },
        { mark: { type: 'point', filled: true, size: 120, opacity: 1 }, encoding: { x, y, color: paint, shape: { field: 'name', type: 'nominal', title: null, legend: direct ? null : undefined, ...marks(suite.labels, suite.all).shape }, tooltip } },
        ...(direct ? unique(data().map((row) => row.align)).map((align) => ({ transform: [{ filter: { field: 'align', equal: align } }], mark: { aria: false, type: 'text', align, dx: align === 'left' ? 10 : -10, dy: -8, limit: 170 }, encoding: { x, y, text: { field: 'name' } } })) : []),
      ],
    };
  };
  const behind = () => dataTable({
    caption: `Q against ${COSTS[chosen()][0]}`,
    columns: [{ key: 'name', label: 'Configuration', head: true }, { key: 'q', label: 'Q', numeric: true, cell: (row) => number(row.q) }, { key: 'cost', label: COSTS[chosen()][0], numeric: true }, { key: 'front', label: 'Pareto' }],
    list: data(),
  });
  const plotted = figure({ title: 'Quality against cost', make, behind, note: 'Dashed: the Pareto front, where nothing else is both better and cheaper. Unranked configurations are left out.' });
  const pick = h('select', { id: 'cost', onchange: (event) => { state.cost = event.target.value; save({ cost: state.cost }); plotted.redraw(); } }, measured.map((key) => h('option', { value: key, selected: key === chosen() }, COSTS[key][0])));
  const made = h('div', h('div', { class: 'field' }, h('label', { for: 'cost' }, 'Cost as'), pick), plotted);
  made.redraw = plotted.redraw;
  return made;
}
