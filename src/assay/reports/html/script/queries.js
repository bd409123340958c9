// The table of queries: only the rows of one page are made.
const PAGE = 20;
let listed = [];

const option = (at, name) => make('option', { value: at }, `${name}${data.status[at] === 'beaten' ? ' (stopped early)' : ''}`);
const fillChoices = () => {
  for (const [id, key] of [['baseline', 'baseline'], ['compared', 'compared']]) {
    const select = byId(id);
    select.replaceChildren(...data.runs.map((name, at) => [name, at])
      .filter(([, at]) => data.scores[at].some((column) => column.some((one) => one !== null)))
      .map(([name, at]) => option(at, name)));
    select.value = String(chosen[key]);
    select.addEventListener('change', () => { chosen[key] = Number(select.value); chosen.page = 0; showQueries(); });
  }
  byId('metric').replaceChildren(...data.metrics.map((name, at) => make('option', { value: at }, name)));
  byId('metric').addEventListener('change', (event) => { chosen.metric = Number(event.target.value); setDirection(); showQueries(); });
  byId('swap').addEventListener('click', () => {
    [chosen.baseline, chosen.compared] = [chosen.compared, chosen.baseline];
    byId('baseline').value = String(chosen.baseline);
    byId('compared').value = String(chosen.compared);
    showQueries();
  });
  let waiting = 0;
  byId('search').addEventListener('input', (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { chosen.search = event.target.value; chosen.page = 0; showTable(); }, 80);
  });
};

const showFilters = () => {
  byId('filters').replaceChildren(...FILTERS.map(([name, title, keep, meaning]) => {
    const count = [...data.keys.keys()].filter(keep).length;
    return make('button', {
      type: 'button', 'aria-pressed': String(chosen.filter === name), 'data-filter': name, title: meaning,
      onclick: () => { Object.assign(chosen, { filter: name, page: 0 }); setDirection(); showFilters(); showTable(); byId('filters').querySelector(`[data-filter=${name}]`).focus(); },
    }, title, make('small', {}, ` ${count.toLocaleString('en')}`));
  }));
};

const heading = (key, title, kind) => {
  const here = chosen.order === key;
  return make('th', { scope: 'col', class: kind, 'aria-sort': here ? (chosen.ascending ? 'ascending' : 'descending') : null },
    make('button', {
      type: 'button',
      onclick: () => {
        chosen.ascending = here ? !chosen.ascending : key === 'query' || key === 'category';
        Object.assign(chosen, { order: key, page: 0 });
        showTable();
        byId('asked').tHead.querySelector('[aria-sort] button').focus();
      },
    }, title));
};

const row = (query, most) => {
  const [d, g] = [difference(query), gain(query)];
  const reason = data.failed[chosen.compared][query] || data.failed[chosen.baseline][query];
  const bar = make('span', { class: 'diffbar', 'aria-hidden': 'true' });
  if (d) {
    const part = make('i', { class: g > 0 ? 'up' : 'down' });
    part.style.width = `${(50 * Math.abs(d)) / most}%`;
    bar.append(part);
  }
  return make('tr', {},
    make('th', { scope: 'row' }, make('button', { type: 'button', 'data-query': query, onclick: () => openQuery(query, listed) },
      make('span', { class: 'q', dir: 'auto' }, String(textOf(query)).slice(0, 400)),
      make('small', { class: 'both' }, `${figure(scoreOf(chosen.baseline, query))} → ${figure(scoreOf(chosen.compared, query))}`),
      make('small', {}, [hasKey(query) ? data.keys[query] : '', reason ? `failed: ${reason.slice(0, 120)}` : ''].filter(Boolean).join(' · ')))),
    data.facts.category ? make('td', { class: 'kindof', dir: 'auto' }, String(fact('category', query) || '–')) : null,
    data.facts.weight ? make('td', { class: 'figure single' }, number(fact('weight', query))) : null,
    make('td', { class: 'figure single' }, figure(scoreOf(chosen.baseline, query))),
    make('td', { class: 'figure single' }, figure(scoreOf(chosen.compared, query))),
    make('td', { class: `figure ${g > 0 ? 'up-text' : g < 0 ? 'down-text' : ''}` }, signed(d)),
    make('td', { class: 'bars' }, bar));
};

const showTable = () => {
  listed = shownQueries();
  const pages = Math.max(1, Math.ceil(listed.length / PAGE));
  chosen.page = Math.min(chosen.page, pages - 1);
  const from = chosen.page * PAGE;
  const rows = listed.slice(from, from + PAGE);
  const most = Math.max(1, ...[...data.keys.keys()].map((query) => Math.abs(difference(query) || 0)));
  const table = byId('asked');
  table.tHead.replaceChildren(make('tr', {},
    heading('query', 'query', ''), data.facts.category ? heading('category', 'category', 'kindof') : null,
    data.facts.weight ? heading('weight', 'weight', 'figure single') : null,
    heading('baseline', named(chosen.baseline), 'figure single'),
    heading('compared', named(chosen.compared), 'figure single'),
    heading('difference', 'difference', 'figure'), make('td', { class: 'bars' })));
  table.tBodies[0].replaceChildren(...rows.map((query) => row(query, most)));
  byId('counted').textContent = listed.length
    ? `${listed.length.toLocaleString('en')} of ${data.keys.length.toLocaleString('en')} queries. Choose one to see its rankings side by side.`
    : data.keys.length ? 'No matching queries. Change the filter or the search text.' : 'No queries were recorded.';
  const turn = (by, title) => make('button', {
    type: 'button', disabled: chosen.page + by < 0 || chosen.page + by >= pages,
    'data-turn': by,
    onclick: () => {
      chosen.page += by;
      showTable();
      byId('asked').scrollIntoView({ block: 'nearest' });
      const now = [...byId('pager').querySelectorAll('[data-turn]')];
      (now.find((one) => one.dataset.turn === String(by) && !one.disabled) || now.find((one) => !one.disabled)).focus({ preventScroll: true });
    },
  }, title);
  byId('pager').hidden = pages === 1;
  byId('pager').replaceChildren(turn(-1, 'Previous'), make('span', {}, `Page ${chosen.page + 1} of ${pages}`), turn(1, 'Next'));
};

const showQueries = () => { showFilters(); showTable(); skyline(); };
