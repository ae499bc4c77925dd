// Debug: the items of one dataset under one configuration; filtered, sorted and searched without opening their texts.
const MARKS = { c: ['\u2713', 'correct'], w: ['\u2717', 'wrong'], u: ['?', 'no answer found'], e: ['\u2205', 'empty'], t: ['\u2026', 'cut off'], x: ['!', 'failed request'] };
const SHOWN = {
  __proto__: null,
  all: ['all items', () => true],
  wrong: ['first run not correct', (row) => /^[^cx]/.test(row.run_marks ?? '')],
  stubborn: ['wrong the same way every time', (row) => !/[cx]/.test(row.run_marks ?? '') && row.agreement === 1],
  mixed: ['right in some runs only', (row) => /c/.test(row.run_marks ?? '') && /[wuet]/.test(row.run_marks ?? '')],
  disagree: ['answers differ between runs', (row) => has(row.agreement) && row.agreement < 1],
  flipped: ['right, but wrong when reworded', (row) => /^c/.test(row.run_marks ?? '') && /[wuet]/.test(row.reworded_marks ?? '')],
  contradiction: ['a step contradicts the one before', (row) => row.n_contradictions > 0],
  equation: ['a false equation', (row) => row.n_false > 0],
  unanswered: ['empty, cut off, or no answer found', (row) => /[uet]/.test((row.run_marks ?? '') + (row.reworded_marks ?? ''))],
  failed: ['failed requests', (row) => /x/.test((row.run_marks ?? '') + (row.reworded_marks ?? ''))],
};
const SORTS = { __proto__: null, position: ['dataset order', 'position', false], agreement: ['least agreement first', 'agreement', false], similarity: ['least similar reasoning first', 'similarity', false], contradictions: ['most contradictions first', 'n_contradictions', true], false: ['most false equations first', 'n_false', true], tokens: ['longest answers first', 'mean_tokens', true] };
const LIST_ROWS = 50;

async function debugPage(suite, state) {
  const evidence = await block(`evidence-${suite.number}`);
  if (!evidence?.datasets.length) return [h('p', { class: 'note' }, 'This suite holds no items.')];
  const d = Math.max(0, evidence.datasets.indexOf(state.ds));
  const c = Math.max(0, evidence.configurations.indexOf(state.config));
  const view = { suite, evidence, d, c, dataset: evidence.datasets[d], configuration: evidence.configurations[c], list: await itemList(suite.number, d, c) };
  const at = has(state.item) ? view.list.findIndex((row) => row.item_id === state.item) : -1;
  if (at >= 0) return itemPage(view, state, at);
  return listPage(view, state);
}

async function itemList(s, d, c) {
  const items = rows(await block(`items-${s}-${d}`));
  const marks = new Map(rows(await block(`marks-${s}-${d}-${c}`)).map((row) => [row.position, row]));
  return items.map((item, position) => ({ position, ...item, ...(marks.get(position) ?? {}) }));
}

function listPage(view, state) {
  const holder = h('div', { class: 'items' });
  const tally = h('p', { class: 'tally', role: 'status' });
  const show = () => {
    const found = filtered(view.list, state);
    tally.replaceChildren(`${count(found.length)} of ${count(view.list.length)} items`);
    holder.replaceChildren(found.length ? itemRows(found, view, state, show) : h('p', { class: 'note' }, 'No item matches. Clear the search or choose another filter.'));
  };
  const changed = (key, again) => (event) => {
    save({ [key]: event.target.value || null, from: null });
    if (again) draw();
    else show();
  };
  const select = (key, label, options, value, again) => h('div', { class: 'field' }, h('label', { for: `pick-${key}` }, label), h('select', { id: `pick-${key}`, onchange: changed(key, again) }, options.map(([id, text]) => h('option', { value: id, selected: id === value }, text))));
  let later;
  const search = h('input', { id: 'find', type: 'search', value: state.find ?? '', autocomplete: 'off', oninput: (event) => {
    const text = event.target.value;
    clearTimeout(later);
    later = setTimeout(() => { save({ find: text || null, from: null }); state.deepHits = null; show(); }, 150);
  } });
  const deep = h('button', { type: 'button', onclick: (event) => searchTexts(view, state, event.currentTarget, show) }, 'Search model texts too');
  show();
  return [
    h('h2', 'Items and their evidence'),
    h('form', { class: 'fields', role: 'search', 'aria-label': 'Items', onsubmit: (event) => event.preventDefault() },
      select('config', 'Configuration', view.evidence.configurations.map((id) => [id, view.suite.label(id)]), view.configuration, true),
      select('ds', 'Dataset', view.evidence.datasets.map((name) => [name, visible(name)]), view.dataset, true),
      select('show', 'Show', Object.entries(SHOWN).map(([key, [label]]) => [key, label]), state.show ?? 'all', false),
      select('sort', 'Sort by', Object.entries(SORTS).map(([key, [label]]) => [key, label]), state.sort ?? 'position', false),
      h('div', { class: 'field wide' }, h('label', { for: 'find' }, 'Search questions, answers, ids'), h('div', { class: 'joined' }, search, deep))),
    tally,
    legend(),
    holder,
  ];
}

const legend = () => h('p', { class: 'legend note' }, Object.values(MARKS).map(([sign, meaning]) => h('span', h('b', { 'aria-hidden': 'true' }, sign), ` ${meaning}`)));

function filtered(list, state) {
  const keep = (SHOWN[state.show] ?? SHOWN.all)[1];
  const wanted = (state.find ?? '').trim().toLowerCase();
  const text = (row) => `${row.question} ${row.gold} ${row.answers ?? ''} ${row.source_id} ${row.item_id} ${row.subject ?? ''}`.toLowerCase();
  const found = list.filter((row) => keep(row) && (!wanted || text(row).includes(wanted) || state.deepHits?.has(row.position)));
  const [, key, descending] = SORTS[state.sort] ?? SORTS.position;
  return ordered(found, { key }, descending);
}

async function searchTexts(view, state, button, show) {
  const wanted = (state.find ?? '').trim().toLowerCase();
  if (!wanted) return;
  const pagesOf = Math.ceil(view.list.length / view.evidence.page);
  const hits = new Set();
  let closed = 0;
  for (let page = 0; page < pagesOf; page += 1) {
    button.textContent = `Searching ${percent(page / pagesOf)}`;
    const text = await unpacked(`runs-${view.suite.number}-${view.d}-${view.c}-${page}`);
    if (text === null) closed += 1;
    const entries = text === null ? {} : JSON.parse(text);
    for (const [position, entry] of Object.entries(entries)) {
      if (entry.runs.some((run) => `${run.text ?? ''} ${run.thinking ?? ''}`.toLowerCase().includes(wanted))) hits.add(Number(position));
    }
  }
  state.deepHits = hits;
  button.textContent = closed ? `Search model texts too (texts of ${count(closed * view.evidence.page)} items are not in this file)` : 'Search model texts too';
  show();
}

function itemRows(found, view, state, show) {
  const from = Math.min(state.from ?? 0, Math.floor((found.length - 1) / LIST_ROWS) * LIST_ROWS);
  const columns = [
    { key: 'source_id', label: 'Item', head: true, cell: (row) => h('a', { href: link({ item: row.item_id }) }, row.source_id) },
    { key: 'question', label: 'Question', class: 'question', cell: (row) => h('a', { class: 'plain', href: link({ item: row.item_id }) }, row.question ?? '') },
    { key: 'gold', label: 'Gold' },
    { key: 'run_marks', label: 'Runs', cell: (row) => signs(row.run_marks) },
    { key: 'reworded_marks', label: 'Reworded', cell: (row) => signs(row.reworded_marks) },
    { key: 'agreement', label: 'Agree', numeric: true, cell: (row) => percent(row.agreement) },
    { key: 'n_contradictions', label: 'Contra\u00addictions', numeric: true },
    { key: 'n_false', label: 'False equations', numeric: true },
    { key: 'mean_tokens', label: 'Tokens', numeric: true, cell: (row) => number(row.mean_tokens, 0) },
  ];
  const page = found.slice(from, from + LIST_ROWS);
  const table = h('table', h('caption', `Items of ${visible(view.dataset)} under ${view.suite.label(view.configuration)}`), h('thead', h('tr', columns.map((column) => h('th', { scope: 'col', class: column.numeric ? 'number' : null }, column.label.replace('\u00ad', ''))))), h('tbody', page.map((row) => h('tr', columns.map((column) => cell(column, row))))));
  const turn = { page: from / LIST_ROWS };
  const move = () => {
    save({ from: turn.page * LIST_ROWS || null });
    show();
  };
  return h('div', { class: 'scroll', role: 'region', 'aria-label': 'Items', tabindex: '0' }, table, found.length > LIST_ROWS ? h('div', { class: 'pager' }, pages(turn, found.length, LIST_ROWS, move)) : null);
}

function signs(marks) {
  if (!marks) return '\u2013';
  const told = [...marks].map((mark) => MARKS[mark][1]).join(', ');
  return h('span', { class: 'signs', role: 'img', 'aria-label': told, title: told }, [...marks].map((mark) => h('span', { class: `sign ${mark}` }, MARKS[mark][0])));
}
