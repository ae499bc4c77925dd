// The page as a whole: what is chosen stands in the address, so that a view can be linked to.
const catalogue = JSON.parse(byId('catalogue').textContent);
const PAGES = { __proto__: null, choose: ['Choose', choosePage], defend: ['Defend', defendPage], debug: ['Debug', debugPage] };
const state = { weights: null, order: [] };
const suites = new Map();

function read() {
  const [page, query] = location.hash.replace(/^#/, '').split('?');
  const asked = Object.fromEntries(new URLSearchParams(query ?? ''));
  for (const key of ['config', 'ds', 'show', 'sort', 'find', 'item', 'dataset', 'cost', 'only']) state[key] = asked[key] ?? null;
  state.page = PAGES[page] ? page : 'choose';
  state.from = Number(asked.from) || 0;
  state.number = Math.min(Math.max(0, Number(asked.suite) || 0), Math.max(0, catalogue.suites.length - 1));
  state.protocol = asked.protocol === 'strict' ? 'strict' : 'paper';
  state.set = asked.set ?? 'arxiv-v1';
  state.scheme = asked.w ? null : asked.scheme ?? 'balanced';
  state.own = asked.w ?? null;
}

// The address of the current view with some choices changed; null takes one out.
function link(changes) {
  const now = { suite: state.number || null, protocol: state.protocol === 'strict' ? 'strict' : null, set: state.set === 'arxiv-v1' ? null : state.set, scheme: state.scheme === 'balanced' ? null : state.scheme, w: state.own };
  for (const key of ['config', 'ds', 'show', 'sort', 'find', 'item', 'from', 'dataset', 'cost', 'only']) now[key] = state[key] || null;
  const wanted = { ...now, ...changes };
  const page = changes.page ?? state.page;
  delete wanted.page;
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => has(value) && value !== ''));
  return `#${page}${[...query].length ? '?' + query : ''}`;
}

function save(changes) {
  if ('w' in changes) state.own = changes.w;
  Object.assign(state, changes);
  history.replaceState(null, '', link({}));
}

async function suiteOf(index) {
  if (suites.has(index)) return suites.get(index);
  const tables = await block(`suite-${index}`);
  const configurations = rows(tables.configurations);
  const twice = (name) => configurations.filter((one) => one.configuration === name).length > 1;
  for (const one of configurations) one.label = visible(one.configuration) + (twice(one.configuration) ? ` (${one.configuration_id.slice(0, 6)})` : '');
  configurations.sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
  const scores = rows(tables.scores);
  const scored = new Map(scores.map((row) => [`${row.protocol}|${row.configuration_id}|${row.dataset}|${row.dimension}`, row]));
  const labels = new Map(configurations.map((one) => [one.configuration_id, one.label]));
  const made = {
    number: index, info: catalogue.suites[index], tables, configurations, scores,
    rankings: rows(tables.rankings),
    draws: new Map(rows(tables.draws).map((row) => [`${row.protocol}|${row.configuration_id}|${row.dimension}`, row])),
    datasets: unique(scores.map((row) => row.dataset)).filter((name) => name !== 'all').sort(),
    schemes: schemesOf(),
    labels: configurations.map((one) => one.label),
    all: configurations.map((one) => one.label),
    label: (id) => labels.get(id) ?? visible(id ?? '\u2013'),
    score: (protocol, id, dataset, dimension) => scored.get(`${protocol}|${id}|${dataset}|${dimension}`),
  };
  suites.set(index, made);
  return made;
}

function schemesOf() {
  const made = new Map();
  for (const row of rows(catalogue.schemes)) {
    const key = `${row.weight_set}/${row.scheme}`;
    if (!made.has(key)) made.set(key, Object.fromEntries(DIMENSIONS.map((name) => [name, 0])));
    made.get(key)[row.dimension] = row.weight;
  }
  return new Map([...made].sort(([a], [b]) => (a.split('/')[0] === b.split('/')[0] ? SCHEME_ORDER.indexOf(a.split('/')[1]) - SCHEME_ORDER.indexOf(b.split('/')[1]) : a.localeCompare(b))));
}

function frame(suite) {
  byId('pages').replaceChildren(...Object.entries(PAGES).map(([key, [label]]) => h('a', { href: link({ page: key, item: null }), 'aria-current': key === state.page ? 'page' : null }, label)));
  const told = `${visible(suite.info.run_name)} \u00b7 ${count(suite.info.n_items)} items \u00b7 ${suite.configurations.length} configurations \u00b7 K = ${suite.info.runs}`;
  byId('subtitle').textContent = told;
  document.title = `Sextant: ${visible(suite.info.run_name)}, ${PAGES[state.page][0].toLowerCase()}`;
  const pick = catalogue.suites.length > 1 ? h('div', { class: 'field' }, h('label', { for: 'suite' }, 'Suite'), h('select', { id: 'suite', onchange: (event) => go({ suite: Number(event.target.value) || null, config: null, ds: null, item: null, dataset: null, from: null, only: null }) }, catalogue.suites.map((one, i) => h('option', { value: i, selected: i === state.number }, `${visible(one.run_name)}, ${day(one.newest_at).slice(0, 16)}, ${count(one.n_items)} items (${one.suite_id.slice(0, 6)})`)))) : null;
  const choice = (value, title) => h('label', { title }, h('input', { type: 'radio', name: 'protocol', id: `protocol-${value}`, value, checked: state.protocol === value, onchange: () => go({ protocol: value === 'strict' ? 'strict' : null }) }), h('span', value));
  byId('switches').replaceChildren(...[pick, h('fieldset', { class: 'protocol' }, h('legend', 'Protocol'), choice('paper', 'the paper\u2019s definitions'), choice('strict', 'the same constructs, known artefacts removed'))].filter(has));
  byId('footer').replaceChildren(h('p', `Sextant ${catalogue.version} \u00b7 made ${day(catalogue.generated_at)} from ${visible(catalogue.warehouse)} (DuckDB ${catalogue.duckdb}) \u00b7 suite ${suite.info.suite_id}`), h('p', 'This file asks nothing of any server.'));
}

function go(changes) {
  location.hash = link(changes);
}

let turn = 0;
async function draw() {
  const mine = (turn += 1);
  const before = state.page;
  read();
  const main = byId('main');
  if (!catalogue.suites.length) {
    main.replaceChildren(h('h2', 'Nothing is published yet'), h('p', 'Run an evaluation (sextant evaluate deploy/runs/quickstart.yaml), then open this report again.'));
    return;
  }
  const suite = await suiteOf(state.number);
  const picked = document.activeElement?.id;
  state.weights = weightsOf(suite);
  frame(suite);
  const content = await PAGES[state.page][1](suite, state);
  if (mine !== turn) return;
  main.replaceChildren(...content.flat(Infinity).filter(has));
  main.dataset.page = state.page;
  const title = byId('item-title');
  if (title) title.focus();
  else if (picked && byId(picked)) byId(picked).focus({ preventScroll: true });
  else if (before && before !== state.page) main.focus();
}

function weightsOf(suite) {
  if (state.own) {
    const given = state.own.split('_').map(Number);
    if (given.length === DIMENSIONS.length && given.every((value) => value >= 0 && value <= 100)) return Object.fromEntries(DIMENSIONS.map((name, i) => [name, given[i] / 100]));
    state.own = null;
  }
  const key = suite.schemes.has(`${state.set}/${state.scheme}`) ? `${state.set}/${state.scheme}` : [...suite.schemes.keys()][0];
  [state.set, state.scheme] = key.split('/');
  return { ...suite.schemes.get(key) };
}

addEventListener('hashchange', draw);
// On paper nothing can be turned or opened: plots show their figures, tables all their rows.
addEventListener('beforeprint', () => {
  document.querySelectorAll('details.behind').forEach((one) => { one.fill(); one.open = true; });
  document.querySelectorAll('.paged').forEach((one) => one.whole(true));
});
addEventListener('afterprint', () => {
  document.querySelectorAll('details.behind').forEach((one) => { one.open = false; });
  document.querySelectorAll('.paged').forEach((one) => one.whole(false));
});
draw().catch((error) => byId('main').replaceChildren(h('p', { class: 'note' }, `The report could not be opened: ${error.message}. Your browser may be too old (DecompressionStream is needed).`)));
