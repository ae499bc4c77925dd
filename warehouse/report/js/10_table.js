// Tables that sort by their headings and show a page at a time.
const PAGE_ROWS = 50;

function dataTable({ caption, columns, list, sort = null, descending = false, pageRows = PAGE_ROWS, empty = 'No rows.' }) {
  if (!list.length) return h('p', { class: 'note' }, empty);
  const view = { sort, descending, page: 0, size: pageRows };
  const body = h('tbody');
  const pager = h('div', { class: 'pager' });
  const heads = columns.map((column) => heading(column, view, show));
  const table = h('table', h('caption', caption), h('thead', h('tr', heads)), body);

  function show() {
    const sorted = ordered(list, columns.find((column) => column.key === view.sort), view.descending);
    const from = view.page * view.size;
    body.replaceChildren(...sorted.slice(from, from + view.size).map((row) => h('tr', columns.map((column) => cell(column, row)))));
    heads.forEach((head, i) => head.setAttribute('aria-sort', columns[i].key !== view.sort ? 'none' : view.descending ? 'descending' : 'ascending'));
    pager.replaceChildren(...(list.length > view.size ? pages(view, list.length, view.size, show) : []));
  }
  show();
  const made = h('div', { class: 'scroll paged', role: 'region', 'aria-label': caption, tabindex: '0' }, table, pager);
  made.whole = (wanted) => {
    Object.assign(view, { page: 0, size: wanted ? list.length : pageRows });
    show();
  };
  return made;
}

function heading(column, view, show) {
  const press = () => {
    view.descending = view.sort === column.key ? !view.descending : Boolean(column.numeric);
    view.sort = column.key;
    view.page = 0;
    show();
  };
  return h('th', { scope: 'col', class: column.numeric ? 'number' : null }, h('button', { type: 'button', class: 'sort', onclick: press, title: column.title }, column.label));
}

function cell(column, row) {
  const content = column.cell ? column.cell(row) : has(row[column.key]) ? shown(row[column.key]) : '\u2013';
  const tag = column.head ? 'th' : 'td';
  return h(tag, { class: column.numeric ? 'number' : column.class, scope: column.head ? 'row' : null }, content);
}

function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  if (typeof value === 'number') return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function ordered(list, column, descending) {
  if (!column) return list;
  const value = column.value ?? ((row) => row[column.key]);
  const direction = descending ? -1 : 1;
  return [...list].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (!has(x) || !has(y)) return has(x) ? -1 : has(y) ? 1 : 0;
    return direction * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en', { numeric: true }));
  });
}

function pages(view, total, size, show) {
  const last = Math.ceil(total / size) - 1;
  const turn = (page) => () => {
    view.page = Math.max(0, Math.min(last, page));
    show();
  };
  const from = view.page * size;
  return [
    h('button', { type: 'button', disabled: view.page === 0, onclick: turn(view.page - 1) }, 'Previous'),
    h('span', `${count(from + 1)} to ${count(Math.min(total, from + size))} of ${count(total)}`),
    h('button', { type: 'button', disabled: view.page === last, onclick: turn(view.page + 1) }, 'Next'),
  ];
}

// Every column of a relation as it stands: for what the report has no special words for.
function plainTable(caption, table, { leaveOut = [], empty } = {}) {
  const list = rows(table);
  const columns = (table?.columns ?? [])
    .filter((name) => !leaveOut.includes(name) && list.some((row) => has(row[name])))
    .map((name) => ({ key: name, label: words(name), numeric: typeof list.find((row) => has(row[name]))[name] === 'number' }));
  return dataTable({ caption, columns, list, empty });
}
