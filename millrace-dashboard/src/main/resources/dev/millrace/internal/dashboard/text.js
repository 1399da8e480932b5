'use strict';
// Values as text, and elements from values. Everything that comes from a run enters the page as a text node.

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') for (const [event, action] of Object.entries(value)) made.addEventListener(event, action);
    else made.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return made;
}

function drawn(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') for (const [event, action] of Object.entries(value)) made.addEventListener(event, action);
    else made.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) made.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return made;
}

function amount(value) {
  if (value === null || value === undefined) return '-';
  const n = Number(value);
  if (Math.abs(n) >= 1e9) return (n / 1e9).toPrecision(3) + ' G';
  if (Math.abs(n) >= 1e6) return (n / 1e6).toPrecision(3) + ' M';
  if (Math.abs(n) >= 1e4) return (n / 1e3).toPrecision(3) + ' k';
  return n === Math.round(n) ? n.toLocaleString('en') : n.toPrecision(3);
}

function bytes(value) {
  if (value === null || value === undefined) return '-';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let n = Number(value), unit = 0;
  while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit++; }
  return (unit === 0 || n >= 100 ? Math.round(n) : n.toPrecision(3)) + ' ' + units[unit];
}

function time(seconds) {
  if (seconds === null || seconds === undefined) return '-';
  const s = Number(seconds);
  if (s >= 3600) return Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min';
  if (s >= 60) return Math.floor(s / 60) + ' min ' + Math.floor(s % 60) + ' s';
  if (s >= 1) return s.toPrecision(3) + ' s';
  if (s >= 0.001) return (s * 1e3).toPrecision(3) + ' ms';
  return s === 0 ? '0 s' : (s * 1e6).toPrecision(3) + ' \u00b5s';
}

function when(millis) {
  return new Date(millis).toLocaleString(undefined, {dateStyle: 'short', timeStyle: 'medium'});
}

function shortened(text, most) {
  return text.length <= most ? text : text.slice(0, most - 1) + '\u2026';
}

function percent(fraction) {
  return fraction === null || fraction === undefined ? '' : Math.floor(fraction * 100) + ' %';
}
