// Marks of charts tell what they stand for, and light up with their run everywhere.
const tip = byId('tip');
const showTip = (text, x, y) => {
  tip.textContent = text;
  tip.hidden = !text;
  if (!text) return;
  const box = tip.getBoundingClientRect();
  const left = Math.max(6, Math.min(x + 14, innerWidth - box.width - 8));
  const top = y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18;
  tip.style.left = `${left}px`;
  tip.style.top = `${Math.max(4, top)}px`;
};
const hideTip = () => { tip.hidden = true; };

const linkOf = (node) => node.getAttribute('href') || node.getAttribute('xlink:href') || '';
const markLinks = [...document.querySelectorAll('.drawn svg a')].filter((a) => linkOf(a).startsWith('#run-'));
for (const a of markLinks) a.classList.add('mark-link');
const runNumber = (node) => {
  const a = node.closest && node.closest('a');
  const match = a && /^#run-(\d+)$/.exec(linkOf(a));
  if (match) return Number(match[1]);
  const row = node.closest && node.closest('[data-run]');
  return row ? Number(row.dataset.run) : 0;
};

let lit = 0;
let kept = 0; // the run that was chosen by a click
const light = (number) => {
  if (number === lit) return;
  lit = number;
  root.classList.toggle('lighting', number > 0);
  for (const a of markLinks) a.classList.toggle('dim', number > 0 && linkOf(a) !== `#run-${number}`);
  for (const row of document.querySelectorAll('[data-run]')) {
    row.classList.toggle('lit', number > 0 && Number(row.dataset.run) === number);
  }
};

const described = (node) => {
  const found = node.closest && node.closest('svg [aria-label]');
  if (!found || found.getAttribute('role') === 'graphics-symbol' && found.matches('[aria-roledescription$=axis], [aria-roledescription$=title]')) return '';
  return found.closest('svg') === found ? '' : found.getAttribute('aria-label');
};

document.addEventListener('pointermove', (event) => {
  if (!event.target.closest) return;
  if (event.target.closest('#skyline')) return;
  const inside = event.target.closest('.drawn');
  showTip(inside ? described(event.target) : '', event.clientX, event.clientY);
  light(runNumber(event.target) || kept);
});
document.addEventListener('pointerleave', () => { hideTip(); light(kept); });
document.addEventListener('focusin', (event) => {
  const inside = event.target.closest('.drawn');
  if (inside && inside !== event.target) {
    const box = event.target.getBoundingClientRect();
    const label = described(event.target) || described(event.target.querySelector('[aria-label]') || event.target);
    showTip(label, box.left, box.bottom - 12);
  } else hideTip();
  light(runNumber(event.target) || kept);
});
addEventListener('scroll', hideTip, { passive: true });
