// Tables that are written in the page sort by a click on a title; what has no value stays last.
const sortBy = (table, at, direction) => {
  const rows = [...table.tBodies[0].rows];
  const numeric = table.tHead.rows[0].cells[at].dataset.sort === 'number';
  const value = (row) => {
    const cell = row.cells[at];
    if (!numeric) return cell.textContent.trim();
    return cell.dataset.value === '' || cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const sign = direction === 'ascending' ? 1 : -1;
  rows.sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (numeric ? a - b : a.localeCompare(b, undefined, { numeric: true }));
  });
  table.tBodies[0].append(...rows);
  for (const [place, cell] of [...table.tHead.rows[0].cells].entries()) {
    if (place === at) cell.setAttribute('aria-sort', direction);
    else cell.removeAttribute('aria-sort');
  }
};

for (const table of document.querySelectorAll('table[data-sortable]')) {
  for (const [at, cell] of [...table.tHead.rows[0].cells].entries()) {
    const title = cell.textContent.trim();
    const first = cell.dataset.sort === 'text' || / (ms|s)$|^bytes/.test(title) ? 'ascending' : 'descending';
    const other = first === 'ascending' ? 'descending' : 'ascending';
    cell.replaceChildren(make('button', {
      type: 'button',
      onclick: () => sortBy(table, at, cell.getAttribute('aria-sort') === first ? other : first),
    }, title));
  }
}
