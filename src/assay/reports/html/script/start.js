// What the address asks for: a query, a run, or a section.
const address = () => {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ''; } // a lone % is no address
};
const goTo = () => {
  const hash = address();
  const query = hash.startsWith('query=') ? data.keys.indexOf(hash.slice(6)) : -1;
  if (query >= 0) openQuery(query, listed);
  const run = /^run-(\d+)$/.exec(hash);
  kept = run ? Number(run[1]) : 0;
  light(kept);
};

fillChoices();
showQueries();
markSection();
goTo();
addEventListener('hashchange', goTo);

// Only what can be scrolled is a stop of the tab key; where there is more beside it, its edge fades.
const scrollers = [...document.querySelectorAll('main .scroll, main .drawn')];
const markEdges = (one) => {
  const rest = one.scrollWidth - one.clientWidth;
  one.classList.toggle('hinted', rest > 1);
  one.classList.toggle('more-left', rest > 1 && one.scrollLeft > 1);
  one.classList.toggle('more-right', rest > 1 && one.scrollLeft < rest - 1);
};
const markScrollers = () => {
  const wide = scrollers.map((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
  for (const [at, one] of scrollers.entries()) {
    if (wide[at]) one.tabIndex = 0; else one.removeAttribute('tabindex');
    markEdges(one);
  }
};
for (const one of scrollers) one.addEventListener('scroll', () => markEdges(one), { passive: true });
requestAnimationFrame(markScrollers);
addEventListener('resize', markScrollers, { passive: true });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !dialog.open && kept) {
    kept = 0;
    light(0);
    history.replaceState(null, '', '#leaderboard');
  }
});

// On paper all reasons and settings are open, also where a browser prints what is closed as closed.
let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('main details:not([open])')];
  for (const one of closed) one.open = true;
});
addEventListener('afterprint', () => { for (const one of closed) one.open = false; });
