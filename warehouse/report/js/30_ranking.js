// Weighing the scores anew: Q_w, its interval and the order, from the bootstrap draws that all configurations share.
function published(suite, protocol, set, scheme) {
  return suite.rankings.filter((row) => row.protocol === protocol && row.weight_set === set && row.scheme === scheme);
}

function weighed(suite, protocol, weights) {
  const total = DIMENSIONS.reduce((sum, name) => sum + weights[name], 0);
  const wanted = DIMENSIONS.filter((name) => weights[name] > 0);
  const share = Object.fromEntries(DIMENSIONS.map((name) => [name, total ? weights[name] / total : 0]));
  return suite.configurations.map(({ configuration_id: id, label }) => {
    const parts = wanted.map((name) => suite.draws.get(`${protocol}|${id}|${name}`));
    const scores = wanted.map((name) => suite.score(protocol, id, 'all', name));
    const missing = wanted.find((name, i) => !has(parts[i]?.point) || !scores[i] || scores[i].status !== 'scored');
    const score = missing && suite.score(protocol, id, 'all', missing);
    const reason = !total ? 'all weights are zero' : missing ? `${missing}: ${words(score?.reason ?? 'not measured')}` : null;
    const value = missing && !parts.every((part) => has(part?.point)) ? null : total ? sum(wanted.map((name, i) => share[name] * parts[i].point)) : null;
    const draws = reason ? null : Array.from(parts[0].draws, (_, r) => sum(wanted.map((name, i) => (has(parts[i].draws[r]) ? share[name] * parts[i].draws[r] : NaN))));
    return { id, label, value, draws, reason, certain: !scores.some((one) => has(one) && !has(one.ci_low)) };
  });
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function quantile(sorted, p) {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

// Rows in order of Q_w with rank (ties share the mean), interval, plausible ranks, P(best) and P(above the next).
function order(list) {
  const ranked = list.filter((row) => !row.reason).sort((a, b) => b.value - a.value || a.label.localeCompare(b.label));
  const n = ranked[0]?.draws.length ?? 0;
  for (const row of ranked) {
    const finite = row.draws.filter(Number.isFinite).sort((a, b) => a - b);
    Object.assign(row, { ranks: [], best: 0, low: null, high: null });
    if (row.certain && finite.length > n / 2) [row.low, row.high] = [quantile(finite, 0.025), quantile(finite, 0.975)];
    row.rank = place(ranked.map((other) => other.value), row.value);
  }
  for (let r = 0; r < n; r += 1) {
    const values = ranked.map((row) => row.draws[r]).filter(Number.isFinite);
    for (const row of ranked) {
      if (!Number.isFinite(row.draws[r])) continue;
      const rank = place(values, row.draws[r]);
      row.ranks.push(rank);
      if (!values.some((value) => value > row.draws[r])) row.best += 1 / values.filter((value) => value === row.draws[r]).length;
    }
  }
  ranked.forEach((row, i) => {
    row.ranks.sort((a, b) => a - b);
    row.best = row.ranks.length ? row.best / row.ranks.length : null;
    row.rankLow = row.ranks.length ? row.ranks[Math.floor(0.025 * (row.ranks.length - 1))] : null;
    row.rankHigh = row.ranks.length ? row.ranks[Math.ceil(0.975 * (row.ranks.length - 1))] : null;
    row.above = ranked[i + 1] ? above(row, ranked[i + 1]) : null;
  });
  return [...ranked, ...list.filter((row) => row.reason)];
}

const place = (values, value) => values.filter((other) => other > value).length + (values.filter((other) => other === value).length + 1) / 2;

function above(a, b) {
  const both = a.draws.map((value, r) => [value, b.draws[r]]).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  return both.length ? sum(both.map(([x, y]) => (x > y ? 1 : x === y ? 0.5 : 0))) / both.length : null;
}

// With a preset's own weights the published figures (all draws) stand in place of those from the embedded ones.
function ranking(suite, state) {
  const list = order(weighed(suite, state.protocol, state.weights));
  const official = state.scheme && !suite.narrowed ? new Map(published(suite, state.protocol, state.set, state.scheme).map((row) => [row.configuration_id, row])) : new Map();
  for (const row of list) {
    const known = official.get(row.id);
    if (!known) continue;
    Object.assign(row, { value: known.value, low: known.ci_low, high: known.ci_high, reason: known.status === 'ranked' ? null : words(known.reason ?? 'unranked') });
    if (!row.reason) Object.assign(row, { rank: known.rank, best: known.p_best, rankLow: known.rank_low, rankHigh: known.rank_high });
  }
  return { list, exact: official.size > 0 };
}
