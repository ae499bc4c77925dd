// Choose: weigh the six dimensions, see who leads and how sure that is.
const SCHEME_ORDER = ['balanced', 'safety_priority', 'accuracy_priority', 'efficiency_priority', 'medical_triage', 'legal_compliance', 'edge_device_iot'];

function choosePage(whole, state) {
  const suite = narrowed(whole, state);
  const result = h('div', { class: 'result' });
  const profiles = profileFigure(suite, state);
  const costs = paretoFigure(suite, state);
  const update = (say) => {
    const { list, exact } = ranking(suite, state);
    state.order = list;
    result.replaceChildren(orderTable(list, exact), sureness(list));
    if (say) announce('Order now: ' + list.filter((row) => !row.reason).map((row) => row.label).join(', '));
    clearTimeout(choosePage.later);
    choosePage.later = setTimeout(() => [profiles, costs].forEach((one) => one?.redraw?.()), say ? 250 : 0);
  };
  update(false);
  return [
    h('section', { 'aria-labelledby': 'order-title' },
      h('h2', { id: 'order-title' }, 'Who leads, by what matters to you'),
      h('p', { class: 'lead' }, 'Q is the weighted mean of six scores. Move a weight and the order follows; beside it stands how sure that order is.'),
      shownPanel(whole, state),
      h('div', { class: 'split' }, weightPanel(suite, state, update), result)),
    h('section', { 'aria-labelledby': 'profile-title' }, h('h2', { id: 'profile-title' }, 'Six dimensions side by side'), profiles),
    diagnosisSection(suite, state),
    h('section', { 'aria-labelledby': 'bump-title' }, h('h2', { id: 'bump-title' }, 'Does the order hold when priorities change?'), bumpFigure(suite, state)),
    h('section', { 'aria-labelledby': 'pareto-title' }, h('h2', { id: 'pareto-title' }, 'Quality against what it costs'), costs),
  ];
}

function weightPanel(suite, state, update) {
  const sliders = {};
  const shares = {};
  const picker = h('select', { id: 'preset', onchange: (event) => apply(event.target.value) });
  const show = () => {
    const total = sum(Object.values(state.weights));
    for (const name of DIMENSIONS) {
      sliders[name].value = Math.round(1000 * state.weights[name]) / 10;
      shares[name].textContent = total ? percent(state.weights[name] / total) : '0 %';
      sliders[name].setAttribute('aria-valuetext', `weight ${shares[name].textContent}`);
    }
    picker.value = state.scheme ? `${state.set}/${state.scheme}` : '';
  };
  const apply = (value) => {
    if (!value) return;
    [state.set, state.scheme] = value.split('/');
    state.weights = { ...suite.schemes.get(value) };
    show();
    save({ set: state.set, scheme: state.scheme, w: null });
    update(true);
  };
  const moved = (name) => (event) => {
    state.weights[name] = event.target.value / 100;
    state.scheme = null;
    show();
    save({ scheme: null, w: DIMENSIONS.map((one) => Math.round(1000 * state.weights[one]) / 10).join('_') });
    update(true);
  };
  picker.append(h('option', { value: '' }, 'my own weights'), ...[...grouped([...suite.schemes.keys()], (key) => key.split('/')[0])].map(([set, keys]) => h('optgroup', { label: `weights ${set}` }, keys.map((key) => h('option', { value: key }, words(key.slice(set.length + 1)))))));
  const lines = DIMENSIONS.map((name) => {
    sliders[name] = h('input', { type: 'range', id: `weight-${name}`, min: 0, max: 100, step: 1, oninput: moved(name) });
    shares[name] = h('output', { for: `weight-${name}`, class: 'number' });
    return h('div', { class: 'weight' }, h('label', { for: `weight-${name}`, title: QUESTIONS[name] }, `${capital(name)} `, h('abbr', { title: QUESTIONS[name] }, SHORT[name])), sliders[name], shares[name]);
  });
  show();
  return h('form', { class: 'weights', 'aria-label': 'Weights' }, h('div', { class: 'field' }, h('label', { for: 'preset' }, 'Preset'), picker), lines);
}

function orderTable(list, exact) {
  const columns = [
    { key: 'rank', label: 'Rank', numeric: true, cell: (row) => (row.reason ? '\u2013' : h('b', String(row.rank))) },
    { key: 'label', label: 'Configuration', head: true },
    { key: 'value', label: 'Q, 95 % interval', numeric: true, cell: (row) => [h('b', number(row.value)), h('span', { class: row.reason ? 'under why' : 'under' }, row.reason ? `unranked: ${row.reason}` : interval(row.low, row.high))] },
    { key: 'best', label: 'P(best)', title: 'share of draws in which it is best', numeric: true, cell: (row) => (row.reason ? '' : meter(row.best)) },
    { key: 'rankLow', label: 'Plausible ranks', title: 'ranks in 95 % of draws', numeric: true, cell: (row) => (row.reason ? '' : row.rankLow === row.rankHigh ? String(row.rankLow) : `${row.rankLow} to ${row.rankHigh}`) },
  ];
  const source = exact ? 'published figures, all bootstrap draws' : 'weighed here, 200 bootstrap draws';
  return dataTable({ caption: `Order under these weights (${source})`, columns, list, empty: 'No configuration was evaluated in this suite.' });
}

const meter = (share) => h('span', { class: 'meter' }, h('span', { class: 'bar', style: `width:${Math.round(100 * (share ?? 0))}%`, 'aria-hidden': 'true' }), h('span', percent(share)));

function sureness(list) {
  const ranked = list.filter((row) => !row.reason);
  if (ranked.length < 2) return h('p', { class: 'note' }, ranked.length ? `Only ${ranked[0].label} can be ranked.` : 'Nothing can be ranked under these weights.');
  const phrase = (p) => (p >= 0.95 ? 'is above' : p >= 0.8 ? 'is probably above' : 'cannot be told apart from');
  return h('ul', { class: 'sure' }, ranked.slice(0, -1).map((row, i) => h('li', h('b', row.label), ` ${phrase(row.above)} `, h('b', ranked[i + 1].label), ` (above it in ${percent(row.above)} of draws)`)));
}

function diagnosisSection(suite, state) {
  const list = suite.tables.diagnoses ? rows(suite.tables.diagnoses) : [];
  const here = list.filter((row) => row.dataset === 'all');
  const per = grouped(here, (row) => row.configuration_id);
  const cards = state.order.map(({ id, label }) => h('article', { class: 'card' }, h('h3', label), h('p', summaryOf(suite, state, id)), findings(per.get(id) ?? [])));
  return h('section', { 'aria-labelledby': 'diagnosis-title' },
    h('h2', { id: 'diagnosis-title' }, 'In plain words'),
    h('p', { class: 'note' }, 'A finding stands only where the whole interval clears the cut of its rule.'),
    h('div', { class: 'cards' }, cards));
}

function findings(list) {
  if (!list.length) return h('p', { class: 'note' }, 'No diagnosis rule fired.');
  return h('ul', list.map((row) => h('li', h('b', row.diagnosis), ': ', row.advice, has(row.evidence) ? h('span', { class: 'under wrap' }, row.evidence) : null)));
}

function summaryOf(suite, state, id) {
  const cqs = suite.score(state.protocol, id, 'all', 'correctness');
  const told = has(cqs?.value) ? `Right on ${percent(cqs.value)} of items (${percent(cqs.ci_low)} to ${percent(cqs.ci_high)}).` : `Correctness was not measured (${words(cqs?.reason ?? 'no evidence')}).`;
  const others = DIMENSIONS.slice(1).map((name) => ({ name, at: standing(suite, state, id, name) })).filter((one) => one.at);
  const best = others.filter((one) => one.at === 'best').map((one) => one.name);
  const worst = others.filter((one) => one.at === 'worst').map((one) => one.name);
  return [told, best.length ? ` Clearly ahead of all others in ${best.join(', ')}.` : '', worst.length ? ` Clearly behind all others in ${worst.join(', ')}.` : ''].join('');
}

// best or worst only where its interval overlaps nobody's
function standing(suite, state, id, name) {
  const own = suite.score(state.protocol, id, 'all', name);
  const others = suite.configurations.filter((one) => one.configuration_id !== id).map((one) => suite.score(state.protocol, one.configuration_id, 'all', name)).filter((one) => has(one?.ci_low));
  if (!has(own?.ci_low) || !others.length) return null;
  if (others.every((one) => own.ci_low > one.ci_high)) return 'best';
  return others.every((one) => own.ci_high < one.ci_low) ? 'worst' : null;
}
