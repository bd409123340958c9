// The page as it is written works without this script; what needs it is shown only now.
const root = document.documentElement;
root.classList.add('scripted');
const byId = (id) => document.getElementById(id);

/** Make an element; texts become text, never markup. */
const make = (name, options = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((one) => one !== null && one !== undefined));
  return node;
};

const remembered = {
  get() { try { return localStorage.getItem('assay-theme') || 'system'; } catch { return 'system'; } },
  set(theme) { try { localStorage.setItem('assay-theme', theme); } catch { /* a file may have no storage */ } },
};

const showTheme = (theme) => {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of document.querySelectorAll('[data-theme-choice]')) {
    button.setAttribute('aria-pressed', String(button.dataset.themeChoice === theme));
  }
};

for (const button of document.querySelectorAll('[data-theme-choice]')) {
  button.addEventListener('click', () => {
    remembered.set(button.dataset.themeChoice);
    showTheme(button.dataset.themeChoice);
  });
}
showTheme(remembered.get());

// The section that is read is marked in the bar.
const links = new Map([...document.querySelectorAll('.bar a')].map((a) => [a.hash.slice(1), a]));
const markSection = () => {
  const above = [...links.keys()].filter((id) => byId(id) && byId(id).getBoundingClientRect().top < 120);
  const here = above.length ? above[above.length - 1] : links.keys().next().value;
  for (const [id, a] of links) {
    const is = id === here;
    if (is && !a.classList.contains('here') && a.parentElement.parentElement.scrollWidth > a.parentElement.parentElement.clientWidth) {
      a.parentElement.parentElement.scrollTo({ left: a.offsetLeft - 60 });
    }
    a.classList.toggle('here', is);
    if (is) a.setAttribute('aria-current', 'true'); else a.removeAttribute('aria-current');
  }
};
let marking = false;
addEventListener('scroll', () => {
  if (marking) return;
  marking = true;
  requestAnimationFrame(() => { marking = false; markSection(); });
}, { passive: true });
