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

// Figures that are no dimension and say much: votes, wordings, shapes of traces.
function beside(suite) {
  const whole = (name) => rows(suite.tables[name]).filter((row) => row.dataset === 'all');
  const share = (key, label, title) => ({ key, label, title, numeric: true, cell: (row) => percent(row[key], 1) });
  const who = nameOf(suite, 'configuration_id');
  return [
    dataTable({ caption: 'What the K runs of an item agree on', columns: [who, share('majority_correctness', 'Right by majority vote'), share('share_stubborn', 'Stubborn errors', 'majority is wrong'), share('share_no_majority', 'No majority'), share('agreement_right', 'Agreement where right'), share('agreement_stubborn', 'Agreement where wrong'), share('verbatim_agreement', 'Word for word equal', 'identity of the whole responses'), { key: 'n_items', label: 'Items', numeric: true }], list: whole('majority'), empty: 'Votes were not counted.' }),
    dataTable({ caption: 'Rewordings by operator', columns: [who, { key: 'operator', label: 'Operator' }, share('perturbation_coverage', 'Applied', 'share of items with a rewording that passed the gate'), { key: 'n_rejected', label: 'Rejected', numeric: true }, { key: 'n_unavailable', label: 'Unavailable', numeric: true }, share('retention', 'Right answers kept'), { key: 'n_pairs', label: 'Pairs', numeric: true }, { key: 'is_worst', label: 'Worst', cell: (row) => (row.is_worst ? 'worst' : '') }], list: whole('gates'), pageRows: 15, empty: 'No rewording was planned.' }),
    dataTable({ caption: 'Shapes of the traces', columns: [who, { key: 'n_traces', label: 'Traces', numeric: true }, { key: 'mean_steps', label: 'Steps, mean', numeric: true, cell: (row) => number(row.mean_steps, 1) }, share('single_step_share', 'Single step', '1.0 by the paper\u2019s convention'), share('raw_contradiction_rate', 'Steps judged contradicting', 'uncorrected'), share('false_equation_rate', 'False equations'), { key: 'n_equations', label: 'Equations', numeric: true }], list: whole('shapes'), empty: 'No trace was split.' }),
  ];
}

const reference = () => [
  h('p', { class: 'note' }, 'For orientation, no targets: other models, other items, other answers than those above.'),
  plainTable('Published figures', catalogue.reference, { empty: 'No published figure is in the warehouse.' }),
];
