// Charts: Vega-Lite specifications drawn as SVG by the embedded library. Each stands with its figures in a table.
const SHAPES = ['circle', 'square', 'diamond', 'triangle-up', 'cross', 'triangle-down', 'triangle-right', 'triangle-left'];
let charting = null;
const drawn = new Map();

function charts() {
  charting ??= unpacked('charts').then((code) => {
    document.head.append(element('script', {}, [document.createTextNode(code)]));
    return window.vegaEmbed;
  });
  return charting;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const palette = () => Array.from({ length: 8 }, (_, i) => colour(`--c${i}`));

function look() {
  const text = colour('--ink');
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: null,
    font,
    view: { stroke: null },
    axis: { labelColor: text, titleColor: text, gridColor: colour('--grid'), domainColor: colour('--line'), tickColor: colour('--line'), labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', labelLimit: 220 },
    legend: { labelColor: text, titleColor: text, labelFontSize: 12, labelLimit: 260 },
    header: { labelColor: text, titleColor: text, labelFontSize: 13, labelFontWeight: 600 },
    text: { color: text, fontSize: 12 },
    title: { color: text },
    range: { category: palette() },
  };
}

// Draws make(width) into a figure; drawn again when width or colours change. `behind` makes the table behind the plot.
function figure({ title, make, behind, note }) {
  const place = h('div', { class: 'plot' });
  const table = h('details', { class: 'behind' }, h('summary', `Figures behind: ${title}`));
  table.fill = () => table.childElementCount === 1 && table.append(behind());
  table.addEventListener('toggle', () => table.open && table.fill());
  const made = h('figure', h('figcaption', h('h3', title), note ? h('p', { class: 'note' }, note) : null), place, table);
  drawn.set(place, () => plot(place, make, title));
  watcher.observe(place);
  made.redraw = () => {
    table.open = false;
    while (table.childElementCount > 1) table.lastChild.remove();
    return plot(place, make, title);
  };
  return made;
}

async function plot(place, make, title) {
  const width = place.clientWidth;
  if (!width) return;
  place.dataset.width = width;
  const spec = make(width);
  if (!spec.data.values.length) {
    place.turn = (place.turn ?? 0) + 1;
    place.replaceChildren(h('p', { class: 'note' }, 'Nothing to plot: no configuration has these figures.'));
    return;
  }
  const turn = (place.turn = (place.turn ?? 0) + 1);
  try {
    const embed = await charts();
    if (turn !== place.turn || !place.isConnected) return;
    place.view?.finalize();
    const result = await embed(place, { $schema: 'https://vega.github.io/schema/vega-lite/v6.json', description: title, autosize: { type: 'pad', contains: 'padding' }, ...spec }, { actions: false, renderer: 'svg', ast: true, config: look() });
    place.view = result.view;
  } catch (error) {
    place.replaceChildren(h('p', { class: 'note' }, `This plot could not be drawn (${error.message}); its figures are in the table below.`));
  }
}

const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!target.isConnected) {
      watcher.unobserve(target);
      drawn.delete(target);
    } else if (Math.abs(target.clientWidth - Number(target.dataset.width ?? 0)) > 8) drawn.get(target)?.();
  }
});
const redrawAll = () => drawn.forEach((draw, place) => place.isConnected && draw());
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);

// Colour and shape of a configuration: its place among all of the suite decides, whichever are shown.
function marks(names, all = names) {
  const colours = palette();
  const places = names.map((name) => Math.max(0, all.indexOf(name)));
  return {
    color: { scale: { domain: names, range: places.map((i) => colours[i % colours.length]) } },
    shape: { scale: { domain: names, range: places.map((i) => SHAPES[(i + Math.floor(i / 8)) % SHAPES.length]) } },
  };
}
