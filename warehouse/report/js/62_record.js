// Defend, continued: nights, instruments, subjects, costs.
function nights(suite, state) {
  const scheme = state.scheme ?? 'balanced';
  const all = rows(catalogue.nights).filter((row) => row.protocol === state.protocol && row.weight_set === state.set && row.scheme === scheme && has(row.value));
  const list = all.map((row) => ({ ...row, at: row.night_at, name: visible(row.configuration) }));
  const series = [...grouped(list, (row) => row.name).values()];
  if (!series.some((one) => unique(one.map((row) => row.at)).length > 1)) return h('p', { class: 'note' }, 'One night so far: a series needs two evaluations of a configuration or of a newer version of its model.');
  const names = unique(list.map((row) => row.name)).sort();
  const make = (width) => {
    const x = { field: 'at', type: 'temporal', title: null, axis: { tickCount: Math.max(2, Math.round(width / 130)), grid: false } };
    const y = { field: 'value', type: 'quantitative', title: `Q, ${words(scheme)}`, scale: { zero: false } };
    const paint = { field: 'name', type: 'nominal', title: null, legend: { orient: 'bottom', columns: width < 620 ? 1 : 3 }, ...marks(names).color };
    return {
      data: { values: list },
      width: Math.max(200, width - 70),
      height: 260,
      layer: [
        { mark: { aria: false, type: 'line', strokeWidth: 2 }, encoding: { x, y, color: paint, detail: { field: 'suite_id' } } },
        { mark: { aria: false, type: 'rule', strokeWidth: 1.5 }, encoding: { x, y: { ...y, field: 'ci_low' }, y2: { field: 'ci_high' }, color: paint } },
        { mark: { type: 'point', filled: true, size: 70, opacity: 1 }, encoding: { x, y, color: paint, tooltip: [{ field: 'name', title: 'configuration' }, { field: 'at', type: 'temporal', format: '%Y-%m-%d %H:%M' }, { field: 'value', title: 'Q', format: '.3f' }, { field: 'resolved_version', title: 'version' }] } },
      ],
    };
  };
  const columns = [{ key: 'at', label: 'Night', cell: (row) => day(row.at) }, { key: 'name', label: 'Configuration', head: true }, { key: 'resolved_version', label: 'Version' }, { key: 'value', label: 'Q', numeric: true, cell: (row) => number(row.value) }, { key: 'ci_low', label: '95 % interval', numeric: true, cell: (row) => interval(row.ci_low, row.ci_high) }, { key: 'suite_id', label: 'Suite' }];
  return [
    h('p', { class: 'note' }, 'A line joins nights of one suite. Suites that differ in items or K are different rulers and are not joined; the table names the suite of each point.'),
    figure({ title: `Q over time, ${state.set} ${words(scheme)}, ${state.protocol} protocol`, make, behind: () => dataTable({ caption: 'Q over time', columns, list, sort: 'at', descending: true }) }),
  ];
}

const JSON_TEXT = new Set(['parameters', 'libraries', 'sampling']);

function pairs(title, entries) {
  const told = entries.filter(([, value]) => has(value) && value !== '' && !(Array.isArray(value) && !value.length));
  return h('article', { class: 'card' }, h('h3', title), h('dl', told.map(([name, value]) => [h('dt', words(name)), h('dd', JSON_TEXT.has(name) ? settings(value) : value instanceof Node ? value : longText(shown(value)))])));
}

function settings(text) {
  try {
    const entries = Object.entries(JSON.parse(text));
    return entries.length ? longText(entries.map(([key, value]) => `${key} = ${typeof value === 'string' ? value : JSON.stringify(value)}`).join('\n')) : longText('none');
  } catch {
    return longText(text);
  }
}

function instruments(suite) {
  const cards = rows(suite.tables.judges);
  const scorers = rows(suite.tables.scorers);
  return [
    cards.length ? judgeCards(cards, scorers) : h('p', { class: 'note' }, 'No judge card: the judge of this suite was not calibrated, so strict coherence has no value.'),
    scorers.length ? h('div', { class: 'cards' }, scorers.map((row) => pairs(`${words(row.stage)}: ${row.name ?? 'unknown'}`, Object.entries({ fingerprint: row.scorer, version: row.version, model: row.scorer_model, model_digest: row.model_digest, parameters: row.parameters, libraries: row.libraries, notes: row.notes })))) : h('p', { class: 'note' }, 'No scorer is named for this suite.'),
    dataTable({ caption: 'How answers were found', columns: [nameOf(suite, 'configuration_id'), { key: 'dataset', label: 'Dataset' }, { key: 'status', label: 'Status', cell: (row) => words(row.status) }, { key: 'strategy', label: 'Rule', cell: (row) => words(row.strategy ?? '\u2013') }, { key: 'n_answers', label: 'Answers', numeric: true }, { key: 'share', label: 'Share', numeric: true, cell: (row) => percent(row.share, 1) }, { key: 'n_correct', label: 'Right', numeric: true }, { key: 'n_ambiguous', label: 'Ambiguous', numeric: true }], list: rows(suite.tables.extraction), pageRows: 15, empty: 'How answers were found was not recorded.' }),
  ];
}

// The judge that a scorer of step pairs names in its parameters.
function judgeOf(row) {
  try {
    return JSON.parse(row.parameters).judge;
  } catch {
    return null;
  }
}

function judgeCards(cards, scorers) {
  const roles = { false_alarm: 'false alarm', detection: 'detection', nli: 'labelled pairs' };
  const named = new Map(scorers.map((row) => [judgeOf(row), row]));
  const nameFor = (row) => row.scorer_model ?? named.get(row.scorer)?.scorer_model ?? row.name ?? 'unnamed';
  const columns = [
    { key: 'name', label: 'Judge', head: true, value: nameFor, cell: nameFor },
    { key: 'pair_set', label: 'Pairs' },
    { key: 'role', label: 'What they measure', cell: (row) => roles[row.role] ?? words(row.role) },
    { key: 'alteration', label: 'Alteration', cell: (row) => words(row.alteration) },
    { key: 'n_pairs', label: 'n', numeric: true },
    { key: 'contradiction_rate', label: 'Called contradiction', numeric: true, cell: (row) => [h('b', percent(row.contradiction_rate, 1)), h('span', { class: 'under' }, `${percent(row.rate_low, 1)} to ${percent(row.rate_high, 1)}`)] },
    { key: 'accuracy', label: 'Right label', numeric: true, cell: (row) => percent(row.accuracy, 1) },
    { key: 'n_truncated', label: 'Cut to window', numeric: true },
    { key: 'scorer', label: 'Fingerprint', class: 'code' },
  ];
  const notes = unique(cards.map((row) => row.notes).filter(has));
  return [
    dataTable({ caption: 'Judge cards: how far each judge can be trusted, on pairs whose truth is known', columns, list: cards, pageRows: 30 }),
    h('p', { class: 'note' }, 'False alarm: consistent neighbouring steps called contradicting. Detection: an altered next step called contradicting, by kind of alteration. Strict coherence is corrected by both and has no value where they lie closer than 20 points.'),
    notes.map((text) => h('p', { class: 'note' }, text)),
  ];
}

function subjects(suite) {
  const info = suite.info;
  const asked = pairs('Suite', Object.entries({ suite: info.suite_id, run: info.run_name, 'newest evaluation': day(info.newest_at), items: info.n_items, 'runs per item (K)': info.runs, operators: info.operators, seed: info.seed, 'reference tokens': info.reference_tokens }));
  const cards = suite.configurations.map((one) => pairs(one.label, Object.entries({
    fingerprint: one.configuration_id, model: one.model, provider: one.provider, family: one.family, 'what pins it': one.resolved_version, 'model version': one.model_version_id, predecessor: one.predecessor,
    'prompt template': has(one.template) ? `${one.template} (${one.template_digest})` : null, 'system prompt': one.system_prompt ?? 'none', sampling: one.sampling, 'served as': one.served_models, 'served fingerprints': one.fingerprints, 'tokens counted by': one.usage_sources,
    'price, USD per million tokens': has(one.price_input) ? `${one.price_input} in, ${one.price_output} out` : 'not given', 'first answer': day(one.first_at), 'last answer': day(one.last_at), generations: one.n, 'asked more than once': one.n_retried,
  })));
  return [
    h('div', { class: 'cards' }, asked, cards),
    dataTable({ caption: 'Datasets', columns: [{ key: 'dataset', label: 'Dataset', head: true }, { key: 'dataset_version', label: 'Version' }, { key: 'n_items', label: 'Items', numeric: true }, { key: 'n_clusters', label: 'Clusters', numeric: true }, { key: 'n_subjects', label: 'Subjects', numeric: true }, { key: 'answer_types', label: 'Answer types' }], list: rows(suite.tables.datasets) }),
    dataTable({ caption: 'Rewordings: asked, or why not', columns: [nameOf(suite, 'configuration_id'), { key: 'dataset', label: 'Dataset' }, { key: 'operator', label: 'Operator' }, { key: 'status', label: 'Status', cell: (row) => words(row.status) }, { key: 'reason', label: 'Why', cell: (row) => words(row.reason ?? '') }, { key: 'n_items', label: 'Items', numeric: true }, { key: 'share', label: 'Share', numeric: true, cell: (row) => percent(row.share, 1) }], list: rows(suite.tables.rewording_coverage), pageRows: 15, empty: 'No rewording was planned.' }),
  ];
}

function costsTable(suite) {
  const name = (row) => (row.dimension === 'all' ? suite.label(row.configuration_id) : visible(row.configuration)); // a rewriter is no configuration of the suite
  const columns = [
    { ...nameOf(suite, 'configuration_id'), value: name, cell: name },
    { key: 'dataset', label: 'Dataset' },
    { key: 'dimension', label: 'Bought for' },
    { key: 'n_generations', label: 'Wanted', numeric: true },
    { key: 'n_answered', label: 'Answered', numeric: true },
    { key: 'n_requests', label: 'Requests', numeric: true },
    { key: 'output_tokens', label: 'Output tokens', numeric: true },
    { key: 'billed_output_tokens', label: 'Billed output', numeric: true },
    { key: 'usd', label: 'USD', numeric: true, cell: (row) => (has(row.usd) ? row.usd.toFixed(4) : 'no price') },
    { key: 'tokens_per_correct', label: 'Tokens per correct', numeric: true, cell: (row) => number(row.tokens_per_correct, 0) },
    { key: 'usd_per_correct', label: 'USD per correct', numeric: true, cell: (row) => number(row.usd_per_correct, 5) },
    { key: 'mean_latency_ms', label: 'Latency, ms', numeric: true, cell: (row) => number(row.mean_latency_ms, 0) },
  ];
  return dataTable({ caption: 'Requests, tokens and money', columns, list: rows(suite.tables.costs), empty: 'Costs were not measured.' });
}
