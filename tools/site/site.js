'use strict';
// Search over the index that was built with the pages, the menu on narrow pages, and a copy button on samples.

const root = document.body.dataset.root;
const input = document.getElementById('search');
const results = document.getElementById('results');

function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [];
}

// Headings count more than text, whole words more than parts; every word must occur.
function score(entry, terms) {
  let total = 0;
  for (const term of terms) {
    const title = entry.p.toLowerCase(), section = entry.s.toLowerCase();
    let points = 0;
    if (section.includes(term)) points += section.split(/\W+/).includes(term) ? 40 : 25;
    if (title.includes(term)) points += 12;
    const at = entry.low.indexOf(term);
    if (at >= 0) points += new RegExp('(^|[^\\p{L}\\p{N}_])' + term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '($|[^\\p{L}\\p{N}_])', 'u').test(entry.low) ? 6 : 3;
    if (points === 0) return 0;
    total += points;
  }
  // The guide before the reasons behind it.
  return entry.u.startsWith('docs/') || entry.u.startsWith('index') ? total : total / 2;
}

function excerpt(entry, term) {
  const at = Math.max(0, entry.low.indexOf(term) - 50);
  const text = (at > 0 ? '\u2026' : '') + entry.x.slice(at, at + 160);
  const line = document.createElement('span');
  const found = text.toLowerCase().indexOf(term);
  if (found < 0) { line.textContent = text; return line; }
  const mark = document.createElement('mark');
  mark.textContent = text.slice(found, found + term.length);
  line.append(text.slice(0, found), mark, text.slice(found + term.length));
  return line;
}

function search() {
  const terms = words(input.value);
  results.replaceChildren();
  results.hidden = terms.length === 0;
  if (terms.length === 0) return;
  for (const entry of INDEX) entry.low ??= entry.x.toLowerCase();
  const found = INDEX.map(entry => [score(entry, terms), entry]).filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
  for (const [, entry] of found) {
    const link = document.createElement('a');
    link.href = root + '/' + entry.u;
    const title = document.createElement('b');
    title.textContent = entry.s;
    link.append(title, entry.s === entry.p ? '' : ' \u2013 ' + entry.p, excerpt(entry, terms[0]));
    results.append(link);
  }
  if (found.length === 0) {
    const none = document.createElement('p');
    none.textContent = 'Nothing was found.';
    results.append(none);
  }
}

function move(step) {
  const links = [...results.querySelectorAll('a')];
  if (links.length === 0) return;
  const at = links.findIndex(link => link.classList.contains('chosen'));
  links[at]?.classList.remove('chosen');
  const next = links[(at + step + links.length) % links.length];
  next.classList.add('chosen');
  next.scrollIntoView({block: 'nearest'});
}

input.addEventListener('input', search);
input.addEventListener('keydown', event => {
  if (event.key === 'ArrowDown') { move(1); event.preventDefault(); }
  else if (event.key === 'ArrowUp') { move(-1); event.preventDefault(); }
  else if (event.key === 'Enter') (results.querySelector('a.chosen') ?? results.querySelector('a'))?.click();
  else if (event.key === 'Escape') { input.value = ''; search(); }
});
results.addEventListener('click', () => { results.hidden = true; });
addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== input) { input.focus(); event.preventDefault(); }
});

const menu = document.getElementById('menu');
menu.addEventListener('click', () => {
  const open = document.getElementById('nav').classList.toggle('open');
  menu.setAttribute('aria-expanded', String(open));
});

for (const sample of document.querySelectorAll('pre')) {
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.textContent = 'copy';
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('code').textContent);
    copy.textContent = 'copied';
  });
  sample.append(copy);
}

// index.html?q=spilling shows what is found.
const asked = new URLSearchParams(location.search).get('q');
if (asked) {
  input.value = asked;
  search();
}
