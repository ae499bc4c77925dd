// What each score means, in one line per protocol. The whole text is in the documentation.
const DEFINED = [
  ['correctness', 'share of items whose first run is right', 'share of right runs over all K runs'],
  ['consistency', 'share of pairs of an item\u2019s K runs that give the same answer', 'the same, less what runs of different items agree by chance'],
  ['robustness', 'right answers to reworded questions, over items whose first run is right', 'how much likelier a right answer is kept under a rewording than under a mere rerun; 1 is no harm'],
  ['coherence', '1 less the share of steps that contradict the step before, first run', 'the same over all runs, corrected for the judge\u2019s own errors, times the share of written equations that hold'],
  ['efficiency', 'harmonic mean of rightness and tokens saved, on the configuration\u2019s own scale of tokens', 'the same on one scale for all: tokens over the suite\u2019s reference tokens'],
  ['stability', 'mean BERTScore F1 between an item\u2019s K traces; unrelated English text reaches about .67', 'the same, less what traces of different items share'],
];

function definitions(state) {
  const list = DEFINED.map(([dimension, paper, strict]) => ({ dimension, paper, strict }));
  const columns = [
    { key: 'dimension', label: 'Dimension', head: true, cell: (row) => `${capital(row.dimension)} (${SHORT[row.dimension]})` },
    { key: 'question', label: 'Question', cell: (row) => QUESTIONS[row.dimension] },
    { key: 'paper', label: 'Paper protocol' },
    { key: 'strict', label: 'Strict protocol' },
  ];
  return [
    dataTable({ caption: 'The six dimensions', columns, list }),
    h('p', { class: 'note' }, `Shown now: ${state.protocol}. Q is the weighted mean of the six; one missing dimension leaves it without a value. Intervals: 95 %, bootstrap over clusters of items; fewer than ten clusters have none. Failed requests lower coverage and never count as wrong; empty, cut-off and unreadable answers are the model\u2019s and count as wrong.`),
  ];
}
