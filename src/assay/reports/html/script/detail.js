// One query: its scores, two rankings side by side, and where relevant documents were lost.
const dialog = byId('detail');

const gradeOf = (query, place) => {
  const grade = data.grades[query][place];
  if (grade === null || grade === undefined) return make('span', { class: 'grade unjudged', title: 'not judged' }, '?', make('span', { class: 'unseen' }, ' not judged'));
  return make('span', { class: `grade ${grade > 0 ? 'right' : ''}`, title: `grade ${grade}` }, String(grade));
};

const moved = (place, at, other) => {
  const before = other.indexOf(place);
  if (before < 0) return make('span', { class: 'moved' }, other.length ? 'only here' : '');
  const by = before - at;
  return make('span', { class: 'moved' }, by === 0 ? '=' : `${by > 0 ? '↑' : '↓'}${Math.abs(by)}`,
    make('span', { class: 'unseen' }, by > 0 ? ' places up' : by < 0 ? ' places down' : ' the same place'));
};

const lost = (run, query) => {
  const missed = data.missed[run][query] || [];
  const more = data.more[run][query] || 0;
  const losses = data.losses[run][query] || [];
  const lines = [];
  for (let at = 0; at < missed.length; at += 2) {
    lines.push(make('li', {}, make('bdi', {}, data.documents[missed[at]]), make('small', {}, ` lost by ${data.stages[missed[at + 1]]}`)));
  }
  const count = lines.length + more;
  if (more) lines.push(make('li', {}, `and ${more.toLocaleString('en')} more`));
  const parts = [];
  for (let at = 0; at < losses.length; at += 2) parts.push(`${data.stages[losses[at]]} ${(losses[at + 1] / STEPS).toFixed(4)}`);
  if (!lines.length && !parts.length) return null;
  return make('div', { class: 'lost' },
    lines.length ? make('strong', {}, `Relevant but missed: ${count.toLocaleString('en')}`) : null, lines.length ? make('ul', {}, lines) : null,
    parts.length ? make('p', { class: 'legend' }, `Loss of nDCG by stage: ${parts.join(', ')}`) : null);
};

const side = (run, query, other) => {
  const places = ranking(run, query);
  const took = (data.took[run] || [])[query];
  const reason = data.failed[run][query];
  const items = places.map((place, at) => make('li', { class: data.grades[query][place] > 0 ? 'right' : null },
    make('span', { class: 'rank' }, String(at + 1)), gradeOf(query, place),
    make('bdi', { class: 'doc' }, data.documents[data.pools[query][place]]), other === null ? make('span') : moved(place, at, other)));
  const link = (event) => {
    const li = event.target.closest('li');
    const name = li && li.querySelector('.doc');
    for (const one of dialog.querySelectorAll('.side li')) one.classList.toggle('joined', Boolean(name) && event.type !== 'pointerleave' && one.querySelector('.doc') !== null && one.querySelector('.doc').textContent === name.textContent);
  };
  return make('section', { class: 'side', 'aria-label': `Ranking of ${data.runs[run]}` },
    make('h4', {}, named(run),
      make('small', {}, ` ${figure(scoreOf(run, query))}${took === null || took === undefined ? '' : ` · ${took} ms`}`)),
    reason ? make('p', { class: 'empty' }, `The search failed: ${reason}`) : null,
    items.length ? make('ol', { onpointerover: link, onpointerleave: link }, items) : reason ? null : make('p', { class: 'empty' }, 'No ranking was recorded.'),
    lost(run, query));
};

const strip = (query) => {
  const known = data.runs.map((name, run) => [run, scoreOf(run, query)]).filter(([, score]) => score !== null)
    .sort((a, b) => b[1] - a[1]);
  const most = Math.max(STEPS, ...known.map(([, score]) => score));
  return make('ul', { class: 'strip' }, known.slice(0, 40).map(([run, score]) => {
    const bar = make('i');
    bar.style.width = `${(100 * Math.max(0, score)) / most}%`;
    return make('li', { class: run === chosen.baseline || run === chosen.compared ? 'in' : null, style: `--own:var(--run-${(run % 16) + 1})` },
      make('span', { class: 'name' }, named(run)),
      make('span', { class: 'rail', 'aria-hidden': 'true' }, bar), make('span', { class: 'value' }, figure(score)));
  }), known.length > 40 ? make('li', {}, make('span', {}, `and ${known.length - 40} more`)) : null);
};

const tags = (query) => {
  const told = [
    ['weight', data.facts.weight ? number(fact('weight', query)) : null], ['filters', fact('filters', query)],
    ['category', fact('category', query)], ['collection', fact('collection', query)], ['difficulty', fact('difficulty', query)],
    ['predicted difficulty', fact('predicted', query)], ['cluster', fact('cluster', query)],
  ].filter(([, value]) => value !== null && value !== undefined && value !== '');
  return make('ul', { class: 'tags' }, hasKey(query) ? make('li', {}, data.keys[query]) : null, told.map(([name, value]) => make('li', {}, `${name}: ${value}`)),
    fact('leaked', query) ? make('li', { class: 'leak' }, 'leaked: occurs verbatim in a relevant document') : null);
};

const scoreTable = (query) => make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Scores of this query' }, make('table', {},
  make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'metric'), make('th', { scope: 'col', class: 'figure' }, named(chosen.baseline)),
    make('th', { scope: 'col', class: 'figure' }, named(chosen.compared)), make('th', { scope: 'col', class: 'figure' }, 'difference'))),
  make('tbody', {}, data.metrics.map((name, metric) => {
    const [a, b] = [scoreOf(chosen.baseline, query, metric), scoreOf(chosen.compared, query, metric)];
    const d = a === null || b === null ? null : b - a;
    const g = gained(d, metric);
    return make('tr', {}, make('th', { scope: 'row' }, name), make('td', { class: 'figure' }, figure(a)), make('td', { class: 'figure' }, figure(b)),
      make('td', { class: `figure ${g > 0 ? 'up-text' : g < 0 ? 'down-text' : ''}` }, signed(d)));
  }))));

let opener = null;
const openQuery = (query, among) => {
  const at = among.indexOf(query);
  const step = (by, title) => make('button', { type: 'button', disabled: at < 0 || at + by < 0 || at + by >= among.length, 'data-step': by, onclick: () => openQuery(among[at + by], among) }, title);
  const text = String(textOf(query));
  const both = chosen.baseline !== chosen.compared;
  const [left, right] = [ranking(chosen.baseline, query), ranking(chosen.compared, query)];
  const close = make('button', { type: 'button', onclick: () => dialog.close(), 'aria-label': 'Close' }, '✕');
  const focused = dialog.open && document.activeElement.dataset.step;
  dialog.replaceChildren(make('div', { class: 'sheet' },
    make('div', { class: 'steps' }, step(-1, '← Previous'), step(1, 'Next →'), make('span', {}, at < 0 ? '' : `${at + 1} of ${among.length}`), close),
    make('h2', { id: 'detail-title', dir: 'auto', class: text.length > 300 ? 'long' : null, tabindex: text.length > 300 ? '0' : null }, text),
    tags(query), scoreTable(query),
    make('h3', {}, 'Rankings side by side'),
    make('div', { class: 'sides' }, side(chosen.baseline, query, both ? right : null), both ? side(chosen.compared, query, left) : null),
    make('p', { class: 'legend' }, 'The number in the box is the grade; ? means not judged. ↑3: three ranks higher than in the other ranking; “only here”: not in the top results of the other run.'),
    data.runs.length > 2 ? [make('h3', {}, `${data.metrics[chosen.metric]} of every run`), strip(query)] : null));
  if (!dialog.open) { opener = document.activeElement; dialog.showModal(); close.focus(); }
  else (focused && [...dialog.querySelectorAll('[data-step]')].find((one) => one.dataset.step === focused && !one.disabled) || close).focus();
  dialog.scrollTop = 0;
  history.replaceState(null, '', `#query=${encodeURIComponent(data.keys[query])}`);
};

dialog.addEventListener('close', () => {
  if (location.hash.startsWith('#query=')) history.replaceState(null, '', '#queries');
  if (opener && opener.isConnected) opener.focus({ preventScroll: true });
});
dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener('keydown', (event) => {
  const by = { ArrowLeft: '-1', ArrowRight: '1' }[event.key];
  const button = by && [...dialog.querySelectorAll('[data-step]')].find((one) => one.dataset.step === by);
  if (button && !button.disabled && !event.target.matches('input, select, .scroll')) { button.focus(); button.click(); }
});
