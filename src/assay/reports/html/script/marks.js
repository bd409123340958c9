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

const marks = [...document.querySelectorAll('.drawn svg [data-run]')];
const rows = [...document.querySelectorAll('main [data-run]')].filter((node) => !node.closest('svg'));
const runNumber = (node) => {
  const owner = node.closest && node.closest('[data-run]');
  return owner ? Number(owner.dataset.run) : 0;
};

let lit = 0;
let kept = 0; // the run that was chosen by a click
const light = (number) => {
  if (number === lit) return;
  lit = number;
  for (const mark of marks) mark.classList.toggle('dim', number > 0 && Number(mark.dataset.run) !== number);
  for (const row of rows) row.classList.toggle('lit', number > 0 && Number(row.dataset.run) === number);
};

const described = (node) => {
  const found = node.closest && node.closest('svg [aria-label]');
  return found && found.tagName !== 'svg' ? found.getAttribute('aria-label') : '';
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
  hideTip();
  light(runNumber(event.target) || kept);
});
addEventListener('scroll', hideTip, { passive: true });
document.addEventListener('click', (event) => {
  const mark = event.target.closest('.drawn svg [data-run]');
  if (mark) location.hash = `run-${mark.dataset.run}`;
});
