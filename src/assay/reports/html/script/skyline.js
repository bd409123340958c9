// The skyline: every query's difference, sorted; a click opens the query below it.
const SVG = 'http://www.w3.org/2000/svg';
const drawn = (name, options) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(options)) node.setAttribute(key, value);
  return node;
};

const wasStopped = (run) => data.status[run] === 'beaten';
const asked = (run) => (data.scores[run][0] || []).filter((one) => one !== null).length.toLocaleString('en');
// Of how many queries a sentence speaks, where these are not all.
const counted = (some) => (some === data.keys.length ? '' : ` (${some.toLocaleString('en')} of ${data.keys.length.toLocaleString('en')} queries)`);

const skyline = () => {
  const place = byId('skyline');
  const sorted = [...data.keys.keys()].map((query) => [query, gain(query)])
    .filter(([, value]) => value !== null).sort((a, b) => b[1] - a[1]);
  const [up, down] = [sorted.filter(([, d]) => d >= EQUAL).length, sorted.filter(([, d]) => d <= -EQUAL).length];
  byId('skyline-said').replaceChildren(
    `${data.metrics[chosen.metric] || 'score'} of each query: `,
    named(chosen.compared, 'named'), ' is better on ', make('b', { class: 'up' }, String(up)),
    ', worse on ', make('b', { class: 'down' }, String(down)), `, equal on ${sorted.length - up - down}${counted(sorted.length)}`,
    ...[chosen.baseline, chosen.compared].filter(wasStopped).flatMap((run) => ['; ', named(run, 'named'), ` was stopped early after ${asked(run)}`]),
  );
  place.closest('figure').hidden = chosen.baseline === chosen.compared || !sorted.length;
  if (!sorted.length) { place.replaceChildren(); return; }
  const [top, low] = [Math.max(1, sorted[0][1]), Math.min(-1, sorted[sorted.length - 1][1])];
  const y = (d) => (4 + (192 * (top - d)) / (top - low)).toFixed(1);
  const svg = drawn('svg', { viewBox: `0 0 ${sorted.length} 200`, preserveAspectRatio: 'none', role: 'img', 'aria-label': byId('skyline-said').textContent });
  const gap = sorted.length > 400 ? 0 : 0.14;
  const bars = (keep) => sorted.map(([, d], at) => (keep(d) ? `M${at + gap} ${y(0)}H${at + 1 - gap}V${y(d)}H${at + gap}Z` : '')).join('');
  svg.append(
    drawn('path', { class: 'up', d: bars((d) => d > 0) }), drawn('path', { class: 'down', d: bars((d) => d < 0) }),
    drawn('line', { class: 'axis', x1: 0, x2: sorted.length, y1: y(0), y2: y(0) }),
  );
  const cursor = drawn('line', { class: 'here', x1: 0, x2: 0, y1: 0, y2: 200, visibility: 'hidden' });
  svg.append(cursor);
  const under = (event) => {
    const box = svg.getBoundingClientRect();
    return Math.max(0, Math.min(sorted.length - 1, Math.floor(((event.clientX - box.left) / box.width) * sorted.length)));
  };
  svg.addEventListener('pointermove', (event) => {
    const at = under(event);
    cursor.setAttribute('x1', at + 0.5); cursor.setAttribute('x2', at + 0.5); cursor.setAttribute('visibility', 'visible');
    const [query] = sorted[at];
    showTip(`${signed(difference(query))}  ${String(textOf(query)).slice(0, 160)}`, event.clientX, event.clientY);
  });
  svg.addEventListener('pointerleave', () => { cursor.setAttribute('visibility', 'hidden'); hideTip(); });
  svg.addEventListener('click', (event) => { hideTip(); openQuery(sorted[under(event)][0], sorted.map(([query]) => query)); });
  place.replaceChildren(svg);
};
