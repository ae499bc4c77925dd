// Defend: every number with what it rests on.
const nameOf = (suite, key, label = 'Configuration') => ({ key, label, head: true, value: (row) => suite.label(row[key]), cell: (row) => suite.label(row[key]) });

function defendPage(suite, state) {
  const anchors = [];
  const part = (id, title, ...content) => {
    anchors.push([id, title]);
    return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title`, tabindex: '-1' }, title), content);
  };
  const parts = [
    part('numbers', 'Every score', scoresTable(suite, state)),
    part('beside', 'Beside the six scores', beside(suite)),
    part('definitions', 'What each score means', definitions(state)),
    part('quality', 'Q under every scheme', qualityTable(suite, state)),
    part('unmeasured', 'What was not measured, and why', unmeasured(suite, state)),
    part('validity', 'Are the six dimensions different things?', validity(suite, state)),
    part('comparison', 'Compared with another configuration', comparisons(suite, state)),
    part('nights', 'Nights over time', nights(suite, state)),
    part('instruments', 'Instruments', instruments(suite)),
    part('subjects', 'What was evaluated, on what', subjects(suite)),
    part('costs', 'What it cost', costsTable(suite)),
    part('reference', 'Figures published for the paper\u2019s models', reference()),
  ];
  const jump = (id) => (event) => {
    event.preventDefault();
    byId(id).scrollIntoView();
    byId(`${id}-title`).focus({ preventScroll: true });
  };
  return [h('nav', { class: 'contents', 'aria-label': 'On this page' }, anchors.map(([id, title]) => h('a', { href: `#${id}`, onclick: jump(id) }, title))), parts];
}

function scoresTable(suite, state) {
  const datasets = ['all', ...suite.datasets];
  const holder = h('div');
  const show = (dataset) => {
    state.dataset = dataset;
    const list = suite.scores.filter((row) => row.protocol === state.protocol && row.dataset === dataset).sort((a, b) => DIMENSIONS.indexOf(a.dimension) - DIMENSIONS.indexOf(b.dimension) || suite.label(a.configuration_id).localeCompare(suite.label(b.configuration_id)));
    holder.replaceChildren(dataTable({ caption: `Scores, ${state.protocol} protocol, ${dataset === 'all' ? 'all datasets' : dataset}`, columns: scoreColumns(suite), list, pageRows: 30, empty: 'No score for this choice.' }));
  };
  const pick = h('select', { id: 'score-dataset', onchange: (event) => { show(event.target.value); save({ dataset: event.target.value }); } }, datasets.map((name) => h('option', { value: name, selected: name === state.dataset }, name === 'all' ? 'all datasets' : visible(name))));
  show(datasets.includes(state.dataset) ? state.dataset : 'all');
  return [h('div', { class: 'field' }, h('label', { for: 'score-dataset' }, 'Dataset'), pick), holder];
}

const scoreColumns = (suite) => [
  { key: 'dimension', label: 'Dimension', cell: (row) => h('span', { title: QUESTIONS[row.dimension] }, capital(row.dimension)) },
  nameOf(suite, 'configuration_id'),
  { key: 'value', label: 'Score, 95 % interval', numeric: true, cell: (row) => [h('b', number(row.value)), h('span', { class: 'under' }, has(row.value) ? (has(row.ci_low) ? interval(row.ci_low, row.ci_high) : 'no interval') : '')] },
  { key: 'n_scored', label: 'Scored / asked', numeric: true, cell: (row) => `${count(row.n_scored)} / ${count(row.n)}` },
  { key: 'coverage', label: 'Coverage', numeric: true, title: 'scored / (asked - not applicable); only our errors lower it', cell: (row) => percent(row.coverage, 1) },
  { key: 'applicability', label: 'Applicable', numeric: true, title: 'share of units that the definition does not exclude', cell: (row) => percent(row.applicability) },
  { key: 'standard_error', label: 'Std. error', numeric: true, cell: (row) => number(row.standard_error) },
  { key: 'value_worst', label: 'Missing units: worst, best', numeric: true, cell: (row) => (has(row.value_worst) && row.coverage < 1 ? interval(row.value_worst, row.value_best) : '\u2013') },
  { key: 'floor', label: 'Possible range', numeric: true, title: 'least and greatest value the design allows', cell: (row) => (has(row.floor) ? interval(row.floor, row.ceiling, 2) : '\u2013') },
  { key: 'status', label: 'Status', cell: (row) => [h('span', { class: `tag ${row.status}` }, row.status), row.reason ? h('span', { class: 'under why' }, words(row.reason)) : '', row.flag ? ` (${words(row.flag)})` : ''] },
  { key: 'items', label: 'Evidence', cell: (row) => itemsLink(suite, row.configuration_id, row.dataset, row.dimension) },
];

const FILTER_OF = { correctness: 'wrong', consistency: 'disagree', robustness: 'flipped', coherence: 'contradiction', efficiency: 'all', stability: 'all' };
const SORT_OF = { efficiency: 'tokens', stability: 'similarity' };

function itemsLink(suite, configuration, dataset, dimension) {
  const target = link({ page: 'debug', config: configuration, ds: dataset === 'all' ? suite.datasets[0] : dataset, show: FILTER_OF[dimension] ?? 'all', sort: SORT_OF[dimension] ?? null, find: null, item: null });
  return h('a', { href: target, 'aria-label': `Items behind ${dimension} of ${suite.label(configuration)}` }, 'items');
}

function qualityTable(suite, state) {
  const list = suite.rankings.filter((row) => row.protocol === state.protocol);
  const sets = [...grouped(list, (row) => row.weight_set)].map(([set, ofSet]) => qualityMatrix(suite, set, ofSet));
  const columns = [
    { key: 'weight_set', label: 'Weights' },
    { key: 'scheme', label: 'Scheme', cell: (row) => words(row.scheme) },
    nameOf(suite, 'configuration_id'),
    { key: 'rank', label: 'Rank', numeric: true },
    { key: 'value', label: 'Q', numeric: true, cell: (row) => h('b', number(row.value)) },
    { key: 'ci_low', label: '95 % interval', numeric: true, cell: (row) => interval(row.ci_low, row.ci_high) },
    { key: 'rank_low', label: 'Plausible ranks', numeric: true, cell: (row) => (has(row.rank_low) ? (row.rank_low === row.rank_high ? String(row.rank_low) : `${row.rank_low} to ${row.rank_high}`) : '\u2013') },
    { key: 'p_best', label: 'P(best)', numeric: true, cell: (row) => percent(row.p_best) },
    { key: 'reason', label: 'Why unranked', cell: (row) => words(row.reason ?? '') },
  ];
  const twins = rows(suite.tables.twins).filter((row) => row.protocol === state.protocol);
  const twinTable = dataTable({
    caption: 'Profile twins: one number calls them equal, their profiles differ',
    columns: [{ key: 'weight_set', label: 'Weights' }, { key: 'scheme', label: 'Scheme', cell: (row) => words(row.scheme) }, nameOf(suite, 'configuration_id_a', 'One'), nameOf(suite, 'configuration_id_b', 'Other'), { key: 'quality_difference', label: 'Difference in Q', numeric: true, cell: (row) => `${number(row.quality_difference)} (${interval(row.quality_ci_low, row.quality_ci_high)})` }, { key: 'dimension', label: 'Differ most in' }, { key: 'dimension_difference', label: 'By', numeric: true, cell: (row) => `${number(row.dimension_difference)} (${interval(row.ci_low, row.ci_high)})` }],
    list: twins,
    pageRows: 14,
    empty: 'No profile twins: no two configurations have an equal Q and a dimension that differs for sure.',
  });
  const every = h('details', { class: 'behind' }, h('summary', 'Every figure: plausible ranks, P(best), why unranked'));
  every.fill = () => every.childElementCount === 1 && every.append(dataTable({ caption: `Q under every scheme, ${state.protocol} protocol`, columns, list, pageRows: 35 }));
  every.addEventListener('toggle', () => every.open && every.fill());
  return [sets.length ? [sets, every] : h('p', { class: 'note' }, 'No Q was computed.'), twinTable, robustnessOfOrder(suite, state)];
}

function qualityMatrix(suite, set, ofSet) {
  const schemes = unique(ofSet.map((row) => row.scheme)).sort((a, b) => SCHEME_ORDER.indexOf(a) - SCHEME_ORDER.indexOf(b));
  const list = [...grouped(ofSet, (row) => row.configuration_id)].map(([id, own]) => ({ configuration_id: id, ...Object.fromEntries(own.map((row) => [`in ${row.scheme}`, row])) }));
  const q = (row) => (has(row?.value) ? [h('b', number(row.value)), h('span', { class: 'under' }, interval(row.ci_low, row.ci_high)), h('span', { class: 'under' }, has(row.rank) ? `rank ${row.rank}` : 'unranked')] : h('span', { class: 'why', title: words(row?.reason ?? '') }, 'none'));
  const columns = [nameOf(suite, 'configuration_id'), ...schemes.map((scheme) => ({ key: `in ${scheme}`, label: capital(words(scheme)), numeric: true, value: (row) => row[`in ${scheme}`]?.value, cell: (row) => q(row[`in ${scheme}`]) }))];
  return dataTable({ caption: `Q, 95 % interval and rank under the ${visible(set)} weights`, columns, list });
}

function robustnessOfOrder(suite, state) {
  const share = rows(suite.tables.simplex).filter((row) => row.protocol === state.protocol);
  const flips = rows(suite.tables.flips).filter((row) => row.protocol === state.protocol);
  return [
    share.length ? dataTable({ caption: 'Share of all possible weightings under which each is best', columns: [nameOf(suite, 'configuration_id'), { key: 'share_best', label: 'Best in', numeric: true, cell: (row) => percent(row.share_best, 1) }, { key: 'n_draws', label: 'Weightings drawn', numeric: true }], list: share, sort: 'share_best', descending: true }) : null,
    flips.length ? dataTable({ caption: 'Smallest change of weights that ties the top two', columns: [{ key: 'weight_set', label: 'Weights' }, { key: 'scheme', label: 'Scheme', cell: (row) => words(row.scheme) }, nameOf(suite, 'configuration_id_a', 'Best'), nameOf(suite, 'configuration_id_b', 'Second'), { key: 'l1_change', label: 'Change (sum of absolute changes)', numeric: true, cell: (row) => (has(row.l1_change) ? number(row.l1_change) : words(row.reason ?? 'none')) }, { key: 'receiver', label: 'Weight moves to' }], list: flips.filter((row) => row.weight_set === state.set), pageRows: 14 }) : null,
  ];
}

function unmeasured(suite, state) {
  const missing = suite.scores.filter((row) => row.protocol === state.protocol && row.status !== 'scored');
  const units = rows(suite.tables.coverage).filter((row) => row.protocol === state.protocol && row.status !== 'scored');
  const absent = Object.entries(suite.tables).filter(([name, one]) => !one.rows.length && ABSENT[name]).map(([name]) => ABSENT[name]);
  return [
    dataTable({ caption: 'Scores without a value, or with too little coverage to rank', columns: [{ key: 'dimension', label: 'Dimension', cell: (row) => capital(row.dimension) }, nameOf(suite, 'configuration_id'), { key: 'dataset', label: 'Dataset' }, { key: 'status', label: 'Status' }, { key: 'reason', label: 'Why', cell: (row) => words(row.reason ?? '') }, { key: 'coverage', label: 'Coverage', numeric: true, cell: (row) => percent(row.coverage, 1) }], list: missing, pageRows: 15, empty: 'Every score has a value and enough coverage.' }),
    dataTable({ caption: 'Items without a value, by reason', columns: [{ key: 'dimension', label: 'Dimension', cell: (row) => capital(row.dimension) }, nameOf(suite, 'configuration_id'), { key: 'dataset', label: 'Dataset' }, { key: 'status', label: 'Status', cell: (row) => words(row.status) }, { key: 'reason', label: 'Why', cell: (row) => words(row.reason ?? '') }, { key: 'n_items', label: 'Items', numeric: true }, { key: 'share', label: 'Share', numeric: true, cell: (row) => percent(row.share, 1) }], list: units, sort: 'n_items', descending: true, pageRows: 15, empty: 'Every item has a value in every dimension.' }),
    rows(suite.tables.unanswered).length ? dataTable({ caption: 'Generations without a scored answer, by reason', columns: [nameOf(suite, 'configuration_id'), { key: 'dataset', label: 'Dataset' }, { key: 'status', label: 'Status', cell: (row) => words(row.status) }, { key: 'reason', label: 'Why', cell: (row) => words(row.reason ?? '') }, { key: 'n_generations', label: 'Generations', numeric: true }, { key: 'share', label: 'Share', numeric: true, cell: (row) => percent(row.share, 1) }], list: rows(suite.tables.unanswered), sort: 'n_generations', descending: true, pageRows: 15 }) : null,
    absent.length ? h('div', h('h3', 'Not in this suite'), h('ul', absent.map((text) => h('li', text)))) : null,
  ];
}

const ABSENT = {
  validity: 'Validity of the dimensions: no correlation could be computed.',
  comparisons: 'Comparisons: they need two configurations in one suite.',
  judges: 'Judge cards: no judge was calibrated.',
  costs: 'Costs: no generation was bought.',
  inversions: 'Changes of order between schemes: none is supported by the evidence.',
  diagnoses: 'Diagnosis: no rule fired.',
  scorers: 'Instruments: no scorer is named for this suite.',
};
