// Which configurations the Choose page shows: a suite that many nights share has hundreds.
const MOST_SHOWN = 20;

function pickedOf(suite, state) {
  const all = suite.configurations;
  const given = (state.only ?? '').split('_').filter((text) => /^\d+$/.test(text)).map(Number).filter((i) => i < all.length);
  if (given.length) return new Set(given);
  const newest = all.map((one, i) => [one.last_at ?? '', i]).sort(([a], [b]) => b.localeCompare(a));
  return new Set(newest.slice(0, MOST_SHOWN).map(([, i]) => i));
}

// The suite cut to the configurations shown. Its order is weighed anew among them.
function narrowed(suite, state) {
  const picked = pickedOf(suite, state);
  if (picked.size === suite.configurations.length) return suite;
  const configurations = suite.configurations.filter((_, i) => picked.has(i));
  const ids = new Set(configurations.map((one) => one.configuration_id));
  return { ...suite, narrowed: true, configurations, labels: configurations.map((one) => one.label), all: suite.labels, rankings: suite.rankings.filter((row) => ids.has(row.configuration_id)) };
}

function shownPanel(suite, state) {
  const all = suite.configurations;
  if (all.length < 3) return null;
  const picked = pickedOf(suite, state);
  const change = (i) => (event) => {
    if (event.target.checked) picked.add(i);
    else picked.delete(i);
    if (picked.size) go({ only: picked.size === all.length && all.length <= MOST_SHOWN ? null : [...picked].sort((a, b) => a - b).join('_') });
    else event.target.checked = true;
  };
  const boxes = all.map((one, i) => h('label', { class: 'check' }, h('input', { type: 'checkbox', id: `shown-${i}`, checked: picked.has(i), onchange: change(i) }), ` ${one.label}`));
  return h('details', { class: 'shown', open: state.picking, ontoggle: (event) => { state.picking = event.target.open; } }, h('summary', `Configurations shown: ${picked.size} of ${all.length}`), h('div', { class: 'checks', role: 'group', 'aria-label': 'Configurations shown' }, boxes));
}
