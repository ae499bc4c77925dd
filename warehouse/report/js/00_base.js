// Elements, text and data. Text of models and users reaches the page through `nodes` alone: text nodes, odd characters made visible.
const DIMENSIONS = ['correctness', 'consistency', 'robustness', 'coherence', 'efficiency', 'stability'];
const SHORT = { correctness: 'CQ', consistency: 'CS', robustness: 'RS', coherence: 'LS', efficiency: 'ES', stability: 'SS' };
const QUESTIONS = {
  correctness: 'Is the answer right?',
  consistency: 'Does it give the same answer again?',
  robustness: 'Does a right answer survive a rewording?',
  coherence: 'Do its steps agree with each other?',
  efficiency: 'Is it right with few tokens?',
  stability: 'Does it reason the same way again?',
};
const CUT = { characters: 4000, lines: 60 };
const PIECE = 5000;
const STEP_CUT = { characters: 800, lines: 12 };
const ODD = /(?:(?!\n|\t)[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}])+/gu;
const RUN_OF_ONE = /([\s\S])\1*/gu;

const byId = (id) => document.getElementById(id);
const has = (value) => value !== null && value !== undefined;
const codePoint = (character) => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

function spelled(run) {
  return run.replace(RUN_OF_ONE, (same, one) => {
    const count = same.length / one.length;
    return `\u2039${codePoint(one)}${count > 1 ? '\u00d7' + count : ''}\u203a`;
  });
}

// The same text with odd characters spelled out: for charts and attributes.
const visible = (text) => String(text).replace(/\r\n/g, '\n').replace(ODD, spelled);

function nodes(text) {
  const source = String(text).replace(/\r\n/g, '\n');
  const made = document.createDocumentFragment();
  let from = 0;
  for (const match of source.matchAll(ODD)) {
    made.append(source.slice(from, match.index), element('span', { class: 'odd', title: 'invisible or control character' }, [document.createTextNode(spelled(match[0]))]));
    from = match.index + match[0].length;
  }
  made.append(source.slice(from));
  return made;
}

function element(tag, attributes, children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (has(value) && value !== false) made.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) {
    if (has(child) && child !== false) made.append(child instanceof Node ? child : nodes(child));
  }
  return made;
}

// h('p', 'text') or h('p', { class: 'note' }, 'text', h('b', 'more'))
function h(tag, ...rest) {
  const plain = rest.length && has(rest[0]) && typeof rest[0] === 'object' && !(rest[0] instanceof Node) && !Array.isArray(rest[0]);
  return element(tag, plain ? rest[0] : {}, plain ? rest.slice(1) : rest);
}

// Where a text is cut: after so many characters or lines, never within a character.
function cutAt(text, limit) {
  let end = 0;
  for (let line = 0; line < limit.lines && end >= 0 && end < limit.characters; line += 1) end = text.indexOf('\n', end + 1);
  end = end < 0 ? Math.min(text.length, limit.characters) : Math.min(end, limit.characters);
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1]) ? end - 1 : end;
}

// Pieces of a very long text that a browser lays out only when they are seen; cut after a line where one ends in time.
function pieces(text) {
  const made = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    const line = text.lastIndexOf('\n', to - 1);
    const after = to < text.length && line > from ? line + 1 : to;
    to = after === to && /[\ud800-\udbff]/.test(text[to - 1]) && to < text.length ? to - 1 : after;
    made.push(text.slice(from, text[to - 1] === '\n' ? to - 1 : to));
    from = to;
  }
  return made;
}

// A text of any length in a box that scrolls; what passes the limit is shown on request.
function longText(text, attributes = {}, limit = CUT) {
  const body = h('div', { class: 'text', dir: 'auto', ...attributes });
  const whole = String(text);
  const end = cutAt(whole, limit);
  if (end >= whole.length) {
    body.append(nodes(whole));
    return body;
  }
  const show = (event) => {
    event.currentTarget.remove();
    body.classList.remove('inline');
    body.replaceChildren(...pieces(whole).map((piece) => h('div', { class: 'piece' }, nodes(piece))));
    body.focus();
  };
  body.tabIndex = -1;
  body.append(nodes(whole.slice(0, end)), ' \u2026 ');
  return h('div', body, h('button', { type: 'button', class: 'more', onclick: show }, `Show all ${count(whole.length)} characters`));
}

const count = (value) => (has(value) ? Number(value).toLocaleString('en') : '\u2013');
const number = (value, digits = 3) => (has(value) ? Number(value).toFixed(digits).replace(/^-(0\.?0*)$/, '$1') : '\u2013');
const percent = (value, digits = 0) => (has(value) ? (100 * value).toFixed(digits) + ' %' : '\u2013');
const interval = (low, high, digits = 3) => (has(low) && has(high) ? `${number(low, digits)} to ${number(high, digits)}` : 'none');
const words = (name) => String(name).replaceAll('_', ' ');
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const day = (text) => (has(text) ? String(text).replace('T', ' ').replace(/(\.\d+)?\+00:00$/, ' UTC') : '\u2013');
const rows = (table) => (table ? table.rows.map((row) => Object.fromEntries(table.columns.map((name, i) => [name, row[i]]))) : []);
const unique = (values) => [...new Set(values)];
const grouped = (list, key) => Map.groupBy ? Map.groupBy(list, key) : list.reduce((map, one) => map.set(key(one), [...(map.get(key(one)) ?? []), one]), new Map());

async function unpacked(id) {
  const holder = byId(id);
  if (!holder) return null;
  const bytes = Uint8Array.from(atob(holder.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

const opened = new Map();
// A data block, parsed once; the most recent are kept.
async function block(id) {
  if (!opened.has(id)) {
    const text = await unpacked(id);
    opened.set(id, text === null ? null : JSON.parse(text));
    if (opened.size > 60) opened.delete(opened.keys().next().value);
  }
  return opened.get(id);
}

function announce(text) {
  byId('announcer').textContent = visible(text);
}
