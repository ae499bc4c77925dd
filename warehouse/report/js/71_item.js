// Debug, one item: its question, the runs side by side, the rewordings with their differences.
const FIRST_STEPS = 60;

async function itemPage(view, state, at) {
  const { suite, d, c, list } = view;
  const item = list[at];
  const page = Math.floor(item.position / view.evidence.page);
  const texts = await block(`texts-${suite.number}-${d}-${page}`);
  const runs = await block(`runs-${suite.number}-${d}-${c}-${page}`);
  const full = texts?.[item.position % view.evidence.page] ?? item;
  const entry = runs?.[item.position];
  const head = [
    itemNavigation(view, state, item),
    h('h2', { tabindex: '-1', id: 'item-title' }, `${visible(view.dataset)} ${item.source_id}`),
    h('p', { class: 'note' }, `${suite.label(view.configuration)} \u00b7 item ${item.item_id}${has(item.subject) ? ` \u00b7 ${item.subject}` : ''}`),
    questionCard(full, entry?.runs.find((run) => run.operator === 'original')),
  ];
  if (!entry) return [...head, h('p', { class: 'note' }, leftOut(view.evidence, item, view))];
  const original = entry.runs.filter((run) => run.operator === 'original');
  const reworded = entry.runs.filter((run) => run.operator !== 'original');
  return [
    ...head,
    h('h3', `${original.length} runs side by side`),
    h('div', { class: 'runs' }, original.map((run) => runCard(run, `Run ${run.run_index + 1}`))),
    h('h3', 'Rewordings'),
    entry.rewordings.length ? h('div', { class: 'runs' }, entry.rewordings.map((one) => rewordingCard(one, full, reworded.find((run) => run.operator === one.operator)))) : h('p', { class: 'note' }, 'No rewording was wanted for this item.'),
  ];
}

const leftOut = (evidence, item, view) => (evidence.left_out.length ? `The texts of this item were left out to keep the file small. They are in the warehouse: sextant query "select * from report.runs where item_id = '${item.item_id}'"` : `No generation of this item was planned for ${view.suite.label(view.configuration)}.`);

function itemNavigation(view, state, item) {
  const found = filtered(view.list, state);
  const at = found.findIndex((row) => row.position === item.position);
  const step = (other, label) => (other ? h('a', { class: 'button', href: link({ item: other.item_id }) }, label) : h('span', { class: 'button off', 'aria-disabled': 'true' }, label));
  return h('nav', { class: 'steps', 'aria-label': 'Items' }, h('a', { class: 'button', href: link({ item: null }) }, 'Back to the list'), step(found[at - 1], 'Previous item'), step(at >= 0 ? found[at + 1] : null, 'Next item'), at >= 0 ? h('span', { class: 'note' }, `${count(at + 1)} of ${count(found.length)} in the list`) : null);
}

// The user message exactly as it went to the model.
function asSent(run) {
  if (!has(run?.messages)) return null;
  const told = JSON.parse(run.messages).map((message) => `${message.role}: ${message.content}`);
  return h('details', h('summary', 'Prompt as sent'), longText(told.join('\n\n')));
}

function questionCard(full, run) {
  const letters = (full.choices ?? []).map((choice, i) => h('li', h('b', `${String.fromCharCode(65 + i)}. `), longText(choice, { class: 'text inline' }, STEP_CUT)));
  return h('div', { class: 'question-card' }, longText(full.question ?? ''), letters.length ? h('ul', { class: 'choices' }, letters) : null, h('p', h('b', 'Gold answer: '), full.gold), asSent(run));
}

function verdict(run) {
  if (run.is_correct === true) return ['c', 'correct'];
  return { scored: ['w', 'wrong'], unparsed: ['u', 'no answer found'], empty: ['e', 'empty'], truncated: ['t', 'cut off'] }[run.answer_status] ?? ['x', `failed: ${words(run.reason ?? run.answer_status)}`];
}

function runCard(run, title) {
  const [mark, told] = verdict(run);
  const facts = [
    has(run.output_tokens) ? `${count(run.output_tokens)} tokens (${run.usage_source})` : 'tokens unknown',
    has(run.finish_reason) ? `stopped: ${run.finish_reason}` : null,
    has(run.latency_ms) ? `${count(Math.round(run.latency_ms))} ms` : null,
    has(run.cost_usd) ? `USD ${run.cost_usd.toPrecision(3)}` : null,
    run.attempts > 1 ? `${run.attempts} requests` : null,
    has(run.served_model) ? `served as ${run.served_model}` : null,
  ].filter(has);
  return h('article', { class: 'run' },
    h('header', h('h4', title), h('span', { class: `tag ${mark}` }, `${MARKS[mark][0]} ${told}`)),
    answerLine(run),
    run.thinking ? h('details', h('summary', 'Thinking'), longText(run.thinking)) : null,
    has(run.steps) && run.steps.length ? stepList(run) : run.text ? longText(run.text) : h('p', { class: 'note' }, 'No text.'),
    has(run.steps) && run.steps.length && run.text ? h('details', h('summary', 'Whole response as received'), longText(run.text)) : null,
    h('p', { class: 'facts' }, facts.join(' \u00b7 ')));
}

function answerLine(run) {
  if (!has(run.extracted) && !has(run.value)) return h('p', { class: 'answer' }, h('b', 'Answer: '), `none${run.reason ? ` (${words(run.reason)})` : ''}`);
  return h('div', { class: 'answer' }, h('b', 'Answer: '), longText(run.extracted ?? run.value, { class: 'text inline' }, STEP_CUT), h('span', { class: 'note' }, ` \u00b7 read as ${run.value ?? 'nothing'}, found by ${words(run.strategy ?? 'no rule')}${run.ambiguous ? ', ambiguous' : ''}`));
}

function stepList(run) {
  const judged = new Map((run.pairs ?? []).map(([step, label, p, cut]) => [step, { label, p, cut }]));
  const sums = new Map((run.equation_steps ?? []).map(([step, right, wrong, open, falseOnes]) => [step, { right, wrong, open, falseOnes }]));
  const one = (text, i) => {
    const pair = judged.get(i + 1);
    const equations = sums.get(i + 1);
    const contradicts = pair?.label === 'contradiction';
    return h('li', { class: contradicts || equations?.wrong ? 'bad' : null }, longText(text, { class: 'text inline' }, STEP_CUT),
      contradicts ? h('p', { class: 'finding' }, `contradicts step ${i} (P = ${number(pair.p, 2)}${pair.cut ? ', pair cut to the judge\u2019s window' : ''})`) : null,
      equations?.wrong ? h('div', { class: 'finding' }, 'false: ', longText((equations.falseOnes ?? []).join('; '), { class: 'text inline' })) : null);
  };
  const made = h('ol', { class: 'trace' }, run.steps.slice(0, FIRST_STEPS).map(one));
  if (run.steps.length <= FIRST_STEPS) return made;
  const more = h('button', { type: 'button', class: 'more', onclick: () => { made.append(...run.steps.slice(FIRST_STEPS).map((text, i) => one(text, i + FIRST_STEPS))); more.remove(); } }, `Show all ${count(run.steps.length)} steps`);
  return h('div', made, more);
}

function rewordingCard(one, full, run) {
  const told = one.status === 'not_applicable' ? `not asked: ${words(one.reason ?? 'no reason given')}` : null;
  return h('div', { class: 'rewording' },
    h('h4', capital(one.operator)),
    told ? h('p', { class: 'note' }, told) : null,
    has(one.reworded) ? h('div', { class: 'text diff', dir: 'auto' }, difference(full.question ?? '', one.reworded)) : null,
    has(one.p_contradiction_forward) ? h('p', { class: 'facts' }, `gate: P(contradiction) ${number(one.p_contradiction_forward, 2)} there, ${number(one.p_contradiction_backward, 2)} back`) : null,
    asSent(run),
    run ? runCard(run, 'Answer to it') : null);
}

// Words that went and came, by longest common subsequence; very long texts stand as they are.
function difference(before, after) {
  const parts = (text) => text.slice(0, 20000).match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
  const [a, b] = [parts(before), parts(after)];
  if (a.length * b.length > 1e6) return nodes(after.slice(0, CUT.characters));
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  }
  const made = [];
  const add = (kind, text) => (made.length && made.at(-1)[0] === kind ? (made.at(-1)[1] += text) : made.push([kind, text]));
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) add('same', b[(i += 1, j++)]);
    else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) add('del', a[i++]);
    else add('ins', b[j++]);
  }
  return made.map(([kind, text]) => (kind === 'same' ? nodes(text) : h(kind, text)));
}
