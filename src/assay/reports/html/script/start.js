// What the address asks for: a query, a run, or a section.
const goTo = () => {
  const hash = decodeURIComponent(location.hash.slice(1));
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
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !dialog.open && kept) {
    kept = 0;
    light(0);
    history.replaceState(null, '', '#leaderboard');
  }
});
