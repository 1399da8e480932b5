'use strict';
// The pictures: the plan as a graph, timelines, and the timeline of tasks.

const BOX = {width: 268, height: 140, gapX: 46, gapY: 22};
const NAME_LINE = 27;

// A name in at most two lines, cut where a step begins if that is possible.
function nameLines(name) {
  if (name.length <= NAME_LINE) return [name, ''];
  const step = name.slice(0, NAME_LINE).lastIndexOf(' -> ');
  const cut = step > 0 ? step + 3 : NAME_LINE;
  return [name.slice(0, cut), shortened(name.slice(cut).trim(), NAME_LINE)];
}

// The column of an operator is its longest way from a source; the consumer is the last one.
function placed(operators) {
  const depth = operators.map(() => 0);
  for (let pass = 0; pass < operators.length; pass++) {
    let moved = false;
    operators.forEach((operator, i) => {
      const to = operator.feeds;
      if (to >= 0 && depth[to] < depth[i] + 1) { depth[to] = depth[i] + 1; moved = true; }
    });
    if (!moved) break;
  }
  const rows = [];
  return operators.map((operator, i) => {
    const row = rows[depth[i]] = (rows[depth[i]] ?? -1) + 1;
    return {column: depth[i], row};
  });
}

function planPicture(run, chosen, choose, narrow) {
  const places = placed(run.operators);
  const columns = Math.max(0, ...places.map(p => p.column)) + 1;
  const rows = Math.max(0, ...places.map(p => p.row)) + 1;
  // On a narrow page the data flows down.
  const at = p => narrow
    ? {x: 8 + p.row * (BOX.width + BOX.gapY), y: 8 + p.column * (BOX.height + BOX.gapX)}
    : {x: 8 + p.column * (BOX.width + BOX.gapX), y: 8 + p.row * (BOX.height + BOX.gapY)};
  const width = (narrow ? rows * (BOX.width + BOX.gapY) : columns * (BOX.width + BOX.gapX)) + 8;
  const height = (narrow ? columns * (BOX.height + BOX.gapX) : rows * (BOX.height + BOX.gapY)) + 8;
  const svg = drawn('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': 'The plan'});
  run.operators.forEach((operator, i) => {
    if (operator.feeds < 0) return;
    const a = at(places[i]), b = at(places[operator.feeds]);
    const [x1, y1, x2, y2] = narrow
      ? [a.x + BOX.width / 2, a.y + BOX.height, b.x + BOX.width / 2, b.y]
      : [a.x + BOX.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
    const middle = narrow ? `C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2}` : `C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2}`;
    svg.append(drawn('path', {class: 'edge', d: `M${x1} ${y1}${middle} ${x2} ${y2}`}));
    svg.append(drawn('path', {class: 'arrow', d: narrow ? `M${x2 - 5} ${y2 - 8}h10l-5 8z` : `M${x2 - 8} ${y2 - 5}v10l8 -5z`}));
    if (operator.through.length > 0) {
      svg.append(drawn('text', {class: 'small', x: (x1 + x2) / 2 + (narrow ? 8 : 0), y: (y1 + y2) / 2 - (narrow ? -4 : 8), 'text-anchor': narrow ? 'start' : 'middle'}, shortened(operator.through.join(', '), 20)));
    }
  });
  run.operators.forEach((operator, i) => {
    const {x, y} = at(places[i]);
    const held = operator.heldBy !== null && operator.state !== 'finished' && operator.state !== 'stopped';
    const shown = held && operator.state !== 'running' ? 'held' : operator.state;
    const label = `${operator.title}: ${operator.state}, ${amount(operator.rate)} rows/s` + (held ? `, held: ${operator.heldReason ?? operator.heldBy}` : '');
    const node = drawn('g', {
      class: `node ${shown}${held ? ' held' : ''}${chosen === i ? ' chosen' : ''}`, tabindex: 0, role: 'button', 'aria-label': label, 'data-operator': i,
      on: {click: () => choose(i), keydown: e => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); choose(i); } }},
    });
    node.append(drawn('title', {}, label));
    node.append(drawn('rect', {class: 'box', x, y, width: BOX.width, height: BOX.height, rx: 9}));
    const [first, second] = nameLines(operator.name);
    node.append(drawn('text', {class: 'name', x: x + 12, y: y + 21}, first));
    node.append(drawn('text', {class: 'name', x: x + 12, y: y + 38}, second));
    node.append(drawn('text', {class: shown, x: x + 12, y: y + 59}, shown + (operator.done === null ? '' : ' \u00b7 ' + percent(operator.done))));
    node.append(drawn('text', {class: 'rate', x: x + BOX.width - 12, y: y + 59, 'text-anchor': 'end'}, amount(operator.rate) + ' rows/s'));
    node.append(drawn('rect', {class: 'bar', x: x + 12, y: y + 67, width: BOX.width - 24, height: 5, rx: 2}));
    node.append(drawn('rect', {class: 'bar done', x: x + 12, y: y + 67, width: (BOX.width - 24) * (operator.done ?? 0), height: 5, rx: 2}));
    node.append(drawn('text', {class: 'small', x: x + 12, y: y + 90}, `${amount(operator.tasksRunning)} running, ${amount(operator.tasksFinished)} done` + (operator.tasksFailed ? `, ${amount(operator.tasksFailed)} failed` : '')));
    node.append(drawn('text', {class: 'small', x: x + 12, y: y + 108}, `queue ${operator.queuedBlocks} (${bytes(operator.queuedBytes)})`));
    node.append(drawn('text', {class: 'small', x: x + BOX.width - 12, y: y + 108, 'text-anchor': 'end'}, bytes(operator.memory)));
    node.append(drawn('text', {class: held ? 'small held' : 'small', x: x + 12, y: y + 127},
      held ? shortened('held: ' + (operator.heldReason ?? operator.heldBy), 36) : operator.maxActors > 0 ? `${operator.readyActors} of ${operator.maxActors} actors` : ''));
    svg.append(node);
  });
  return element('div', {class: 'scroll plan'}, svg);
}

// The next round number: 1, 2 or 5 times a power of ten, or of two for bytes.
function rounded(value, format) {
  if (!(value > 0)) return 1;
  if (format === bytes) return 2 ** Math.ceil(Math.log2(Math.max(value, 2)));
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].find(step => step * power >= value) * power;
}

// Lines over time. Each series is {label, value: point => number}; the limit is a dashed line.
function chart(title, points, series, format, limit) {
  const width = 400, height = 150, left = 58, bottom = 20, top = 8;
  const svg = drawn('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title});
  const last = points.length === 0 ? 1 : Math.max(points[points.length - 1].t, 1e-6);
  let most = 0;
  for (const one of series) for (const point of points) most = Math.max(most, one.value(point) || 0);
  const showsLimit = limit !== undefined && limit > 0;
  const scale = rounded(showsLimit && limit < 4 * most ? Math.max(most, limit) : most, format);
  const x = t => left + (width - left - 8) * t / last;
  const y = v => height - bottom - (height - bottom - top) * Math.min(1, v / scale);
  for (const part of most === 0 ? [0] : [0, 0.5, 1]) {
    svg.append(drawn('path', {class: 'axis', d: `M${left} ${y(scale * part)}H${width - 8}`}));
    svg.append(drawn('text', {class: 'small', x: left - 6, y: y(scale * part) + 4, 'text-anchor': 'end'}, format(scale * part)));
  }
  svg.append(drawn('text', {class: 'small', x: left, y: height - 4}, '0 s'));
  svg.append(drawn('text', {class: 'small', x: width - 8, y: height - 4, 'text-anchor': 'end'}, time(last)));
  if (showsLimit && limit <= scale) svg.append(drawn('path', {class: 'limit', d: `M${left} ${y(limit)}H${width - 8}`}));
  series.forEach((one, i) => {
    const d = points.map((point, n) => (n ? 'L' : 'M') + x(point.t).toFixed(1) + ' ' + y(one.value(point) || 0).toFixed(1)).join('');
    if (points.length === 1) svg.append(drawn('path', {class: 'line s' + i % 5, d: `M${left} ${y(one.value(points[0]) || 0)}H${width - 8}`}));
    else if (d) svg.append(drawn('path', {class: 'line s' + i % 5, d}));
  });
  const now = points[points.length - 1];
  const legend = element('div', {class: 'legend'},
    series.map((one, i) => element('span', {class: 'c' + i % 5}, element('i'), `${shortened(one.label, 34)}: ${now ? format(one.value(now) || 0) : '-'}`)),
    showsLimit ? element('span', {class: 'cl'}, element('i'), 'limit: ' + format(limit)) : null);
  return element('div', {class: 'card'}, element('h3', {}, title), svg, legend);
}

// A lane for each operator, tasks stacked where they overlap.
function gantt(run, tasks) {
  const width = Math.max(300, (document.getElementById('main').clientWidth || 1000) - 60), left = 8, lane = 9;
  const last = Math.max(run.elapsed, ...tasks.map(t => t.end), 1e-6);
  const x = t => left + (width - left - 8) * t / last;
  let y = 4;
  const svg = drawn('svg', {role: 'img', 'aria-label': 'Tasks over time'});
  run.operators.forEach((operator, index) => {
    const own = tasks.filter(t => t.operator === index).sort((a, b) => a.start - b.start);
    if (own.length === 0) return;
    svg.append(drawn('text', {x: left, y: y + 14}, shortened(operator.name, Math.floor(width / 8))));
    y += 20;
    const ends = [];
    for (const task of own) {
      let slot = ends.findIndex(end => end <= task.start);
      if (slot < 0) slot = ends.length < 24 ? ends.length : ends.indexOf(Math.min(...ends));
      ends[slot] = task.end;
      const state = task.state === 'finished' ? task.slow ? 'slow' : '' : task.state;
      const bar = drawn('rect', {class: 'task ' + state, x: x(task.start).toFixed(1), y: y + slot * lane, height: lane - 2, width: Math.max(1.5, x(task.end) - x(task.start)).toFixed(1), rx: 1.5});
      bar.append(drawn('title', {}, `${task.input}: ${time(task.end - task.start)}${task.node ? ' on ' + task.node : ''}, ${task.state}`));
      svg.append(bar);
    }
    y += ends.length * lane + 8;
  });
  svg.append(drawn('path', {class: 'axis', d: `M${left} ${y}H${width - 8}`}));
  svg.append(drawn('text', {class: 'small', x: left, y: y + 15}, '0 s'));
  svg.append(drawn('text', {class: 'small', x: width - 8, y: y + 15, 'text-anchor': 'end'}, time(last)));
  svg.setAttribute('viewBox', `0 0 ${width} ${y + 20}`);
  svg.setAttribute('width', width);
  svg.setAttribute('height', y + 20);
  return element('div', {class: 'scroll plan'}, svg);
}
