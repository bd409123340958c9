// What is chosen: two runs, a metric, a filter, a search, an order; and what follows from it.
const data = JSON.parse(byId('data').textContent);
const STEPS = 10000;
const EQUAL = 1; // ten-thousandths that round to the same four decimals
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const chosen = {
  baseline: data.baseline, compared: data.compared, metric: 0,
  filter: 'all', search: '', order: 'difference', ascending: false, page: 0,
};

const scoreOf = (run, query, metric = chosen.metric) => {
  const column = data.scores[run] && data.scores[run][metric];
  return column && column[query] !== null && column[query] !== undefined ? column[query] : null;
};
const difference = (query) => {
  const [a, b] = [scoreOf(chosen.baseline, query), scoreOf(chosen.compared, query)];
  return a === null || b === null ? null : b - a;
};
// Above 0 is better, also by a metric of which less is better.
const gained = (d, metric = chosen.metric) => (d !== null && data.lower[metric] ? -d : d);
const gain = (query) => gained(difference(query));
const inEither = (is) => [chosen.baseline, chosen.compared].some(is);
const hasFailed = (query) => inEither((run) => data.failed[run][query] !== undefined);
const foundNothing = (query) => inEither(
  (run) => data.failed[run][query] === undefined && !data.lower[0] && scoreOf(run, query, 0) === 0,
);
const figure = (steps) => (steps === null ? '–' : (steps / STEPS).toFixed(4));
const number = (value) => (value === null || value === undefined ? '–' : value.toLocaleString('en'));
const signed = (steps) => (steps === null ? '–' : `${steps > 0 ? '+' : ''}${(steps / STEPS).toFixed(4)}`);
const fact = (name, query) => (data.facts[name] ? data.facts[name][query] : null);
const textOf = (query) => fact('text', query) || data.keys[query];

const hasKey = (query) => String(textOf(query)) !== data.keys[query]; // of its own, not its text
const named = (run, more = '') => make('span', { class: `run ${more}`.trim(), style: `--own:var(--run-${(run % 16) + 1})`, title: data.runs[run] || '' },
  make('bdi', {}, data.runs[run] || ''));
const FILTERS = [
  ['all', 'All', () => true, 'all queries'],
  ['different', 'Different', (query) => Math.abs(difference(query) || 0) >= EQUAL, 'the two runs score differently'],
  ['improved', 'Improved', (query) => gain(query) >= EQUAL, 'the second run scores better'],
  ['regressed', 'Regressed', (query) => gain(query) <= -EQUAL, 'the second run scores worse'],
  ['failed', 'Failed', hasFailed, 'a search failed in one of the two runs'],
  ['nothing', 'Scored 0', foundNothing, 'one of the two runs found nothing relevant'],
];

const ranking = (run, query) => {
  const coded = (data.rankings[run] || [])[query] || '';
  const wide = data.pools[query].length > ALPHABET.length;
  const places = [];
  for (let at = 0; at < coded.length; at += wide ? 2 : 1) {
    places.push(wide ? ALPHABET.indexOf(coded[at]) * 62 + ALPHABET.indexOf(coded[at + 1]) : ALPHABET.indexOf(coded[at]));
  }
  return places;
};

const haystack = data.keys.map((key, query) => [key, fact('text', query), fact('category', query), fact('collection', query)]
  .filter(Boolean).join('\n').toLocaleLowerCase());

// By difference: the worst first where queries got worse, else the best.
const setDirection = () => {
  if (chosen.order === 'difference') chosen.ascending = (chosen.filter === 'regressed') !== Boolean(data.lower[chosen.metric]);
};
setDirection();

/** The queries that the filter and the search leave, in the order that was asked for. */
const shownQueries = () => {
  const keep = FILTERS.find(([name]) => name === chosen.filter)[2];
  const words = chosen.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = [...data.keys.keys()].filter((query) => keep(query) && words.every((word) => haystack[query].includes(word)));
  const by = {
    difference: (query) => difference(query),
    baseline: (query) => scoreOf(chosen.baseline, query),
    compared: (query) => scoreOf(chosen.compared, query),
    query: (query) => textOf(query),
    category: (query) => fact('category', query) || '',
    weight: (query) => fact('weight', query),
  }[chosen.order];
  const sign = chosen.ascending ? 1 : -1;
  const values = new Map(found.map((query) => [query, by(query)]));
  return found.sort((one, other) => {
    const [a, b] = [values.get(one), values.get(other)];
    if (a === null || b === null) return (a === null) - (b === null) || one - other;
    const order = typeof a === 'string' ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
    return sign * order || one - other;
  });
};
