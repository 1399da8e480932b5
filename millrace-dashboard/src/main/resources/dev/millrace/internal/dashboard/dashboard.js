'use strict';
// What is shown, by the part of the address behind '#'. Events of the server bring what changes.

const main = document.getElementById('main');
const link = document.getElementById('link');
const TABS = ['Plan', 'Timelines', 'Tasks', 'Errors', 'Nodes', 'Text'];
let events = null;
let view = {};

// ---- theme

const THEMES = ['system', 'light', 'dark'];
function theme(name) {
  if (name === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  document.getElementById('theme').textContent = 'Theme: ' + name;
  localStorage.setItem('theme', name);
}
document.getElementById('theme').addEventListener('click', () =>
  theme(THEMES[(THEMES.indexOf(localStorage.getItem('theme') ?? 'system') + 1) % THEMES.length]));
theme(THEMES.includes(localStorage.getItem('theme')) ? localStorage.getItem('theme') : 'system');

// ---- data

async function fetched(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(answer.status === 404 ? 'There is no such run, or it is no longer kept.' : 'The server answered ' + answer.status + '.');
  return answer.json();
}

function listen(query, handlers, opened) {
  if (events) events.close();
  events = new EventSource('/api/events' + query);
  events.onopen = () => { link.textContent = 'live'; link.className = 'on'; opened?.(); };
  events.onerror = () => { link.textContent = 'not connected'; link.className = 'off'; };
  events.addEventListener('end', () => { events.close(); link.textContent = 'the session has ended'; link.className = 'off'; });
  for (const [name, handler] of Object.entries(handlers)) events.addEventListener(name, e => handler(JSON.parse(e.data)));
}

function state(name) {
  return element('span', {class: 'state ' + name}, name);
}

// ---- the list of runs

async function showRuns() {
  const runs = await fetched('/api/runs');
  view = {page: 'runs', runs, chosen: new Set()};
  drawRuns();
  listen('', {runs: changed => {
    for (const run of changed) {
      const at = view.runs.findIndex(known => known.id === run.id);
      if (at < 0) view.runs.unshift(run); else view.runs[at] = run;
    }
    drawRuns();
  }});
}

function drawRuns() {
  const focus = document.activeElement?.getAttribute('data-key');
  const chosen = [...view.chosen];
  const compare = element('button', {type: 'button', disabled: chosen.length === 2 ? null : 'disabled', 'data-key': 'compare',
    on: {click: () => { location.hash = `#/compare/${chosen[0]}/${chosen[1]}`; }}}, 'Compare the two chosen');
  const rows = view.runs.map(run => element('tr', {},
    element('td', {}, element('input', {type: 'checkbox', 'aria-label': 'choose ' + run.name, 'data-key': 'c' + run.id, checked: view.chosen.has(run.id) ? 'checked' : null,
      on: {change: e => { if (e.target.checked) view.chosen.add(run.id); else view.chosen.delete(run.id); drawRuns(); }}})),
    element('td', {class: 'wide'}, element('a', {href: '#/run/' + run.id, 'data-key': 'a' + run.id}, run.name)),
    element('td', {}, state(run.state)),
    element('td', {class: 'hide'}, when(run.startedAt)),
    element('td', {class: 'n hide'}, time(run.elapsed)),
    element('td', {class: 'n hide'}, amount(run.rowsIn)),
    element('td', {class: 'n hide'}, amount(run.rowsOut)),
    element('td', {class: 'n hide'}, bytes(run.peakMemory)),
    element('td', {class: 'n hide' + (run.errorCount > 0 ? ' bad' : '')}, amount(run.errorCount))));
  main.replaceChildren(
    element('h1', {}, 'Runs'),
    element('div', {class: 'row'}, compare, element('span', {class: 'dim'}, view.runs.length === 1 ? '1 run' : `${view.runs.length} runs, the newest first`)),
    view.runs.length === 0
      ? element('p', {class: 'card'}, 'Nothing has run yet. A run appears here as soon as a dataset is consumed.')
      : element('div', {class: 'card scroll'}, element('table', {class: 'runs'},
        element('thead', {}, element('tr', {}, ['', 'Dataset', 'State', 'Started'].map(t => element('th', {}, t)),
          ['Time', 'Rows in', 'Rows out', 'Peak memory', 'Errors'].map(t => element('th', {class: 'n'}, t)))),
        element('tbody', {}, rows))));
  if (focus) main.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
}

// ---- one run

async function showRun(id) {
  const run = await fetched('/api/runs/' + id);
  view = {page: 'run', run, tab: 'Plan', operator: null};
  drawRun();
  listenToRun();
}

function listenToRun() {
  const tasks = view.tab === 'Tasks';
  listen(`?run=${encodeURIComponent(view.run.id)}&tasks=${tasks}`, {run: async update => {
    const ended = update.complete && !view.run.complete;
    const point = update.point;
    delete update.point;
    Object.assign(view.run, update);
    if (point) addPoint(view.run.series, point);
    if (ended) await wholeRun();
    if (view.tab === 'Text' && !ended) drawHead();
    else drawRun();
  }}, async () => {
    // What happened between the page's request and this connection.
    if (!view.run.complete && await wholeRun()) drawRun();
  });
}

// Everything about the run; false if it is no longer the one that is shown.
async function wholeRun() {
  const id = view.run.id;
  const run = await fetched('/api/runs/' + id);
  if (view.page !== 'run' || view.run.id !== id) return false;
  Object.assign(view.run, run);
  return true;
}

function addPoint(series, point) {
  if (series.length > 0 && series[series.length - 1].t >= point.t) return;
  series.push(point);
  if (series.length > 1024) series.splice(0, series.length, ...series.filter((_, i) => i % 2 === 0));
}

function figure(label, value) {
  return element('div', {class: 'figure'}, element('span', {}, label), element('b', {}, value));
}

function figures(run) {
  const latest = run.series[run.series.length - 1];
  const seconds = Math.max(run.elapsed, 1e-9);
  const rate = run.state === 'running' && latest ? Math.max(latest.rowsIn, latest.rowsOut) : Math.max(run.rowsIn, run.rowsOut) / seconds;
  return element('div', {class: 'figures'},
    figure('time', time(run.elapsed)), figure('rows/s', amount(rate)), figure('rows in', amount(run.rowsIn)), figure('rows out', amount(run.rowsOut)),
    figure('memory now', bytes(run.memory)), figure('peak memory', bytes(run.peakMemory)), figure('errors', amount(run.errorCount)));
}

// The figures alone: what is below stays as it is, so that a text can be read and copied.
function drawHead() {
  main.querySelector('.figures').replaceWith(figures(view.run));
}

function drawRun() {
  const run = view.run;
  const focus = document.activeElement?.getAttribute('data-key') ?? null;
  const operator = document.activeElement?.getAttribute('data-operator') ?? null;
  const scrolled = [...main.querySelectorAll('.scroll')].map(each => each.scrollLeft);
  main.replaceChildren(
    element('h1', {}, run.name, ' ', state(run.state)),
    run.failure ? element('p', {class: 'failure', role: 'alert'}, run.failure) : '',
    figures(run),
    ...run.hints.map(hint => element('p', {class: 'hint'}, element('b', {}, hint.operator + ': '), hint.sentence)),
    element('div', {class: 'tabs', role: 'tablist', 'aria-label': 'Parts of the run'}, TABS.map(tab => element('button', {
      type: 'button', role: 'tab', 'aria-selected': String(view.tab === tab), 'data-key': tab, tabindex: view.tab === tab ? 0 : -1,
      on: {click: () => choose(tab), keydown: arrows},
    }, tab + (tab === 'Errors' && (run.errors.length > 0 || run.failure) ? ' !' : '')))),
    element('section', {role: 'tabpanel', 'aria-label': view.tab}, part(run)));
  main.querySelectorAll('.scroll').forEach((each, i) => { each.scrollLeft = scrolled[i] ?? 0; });
  if (focus) main.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  else if (operator !== null) main.querySelector(`[data-operator="${operator}"]`)?.focus();
}

function choose(tab) {
  const before = view.tab;
  view.tab = tab;
  drawRun();
  if (tab === 'Text') freshText();
  if ((tab === 'Tasks') !== (before === 'Tasks') && view.run.state === 'running') listenToRun();
}

// Texts do not come with events.
async function freshText() {
  const {explain, stats, settings} = await fetched('/api/runs/' + view.run.id);
  Object.assign(view.run, {explain, stats, settings});
  if (view.tab === 'Text') drawRun();
}

function arrows(event) {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (step) {
    const next = TABS[(TABS.indexOf(view.tab) + step + TABS.length) % TABS.length];
    choose(next);
    main.querySelector(`[data-key="${next}"]`).focus();
  }
}

function part(run) {
  switch (view.tab) {
    case 'Plan': return planPart(run);
    case 'Timelines': return timelines(run);
    case 'Tasks': return tasksPart(run);
    case 'Errors': return errorsPart(run);
    case 'Nodes': return nodesPart(run);
    default: return textPart(run);
  }
}

function planPart(run) {
  const pick = i => { view.operator = view.operator === i ? null : i; drawRun(); };
  return [
    element('div', {class: 'card'}, planPicture(run, view.operator, pick, matchMedia('(max-width: 700px)').matches),
      view.operator === null ? element('p', {class: 'dim'}, 'Choose an operator to see more of it.') : null),
    view.operator === null ? null : operatorCard(run.operators[view.operator]),
  ];
}

function operatorCard(operator) {
  const line = (label, value) => element('tr', {}, element('th', {}, label), element('td', {class: 'wide'}, value));
  const spread = (of, format) => of.count === 0 ? '-' : `${format(of.min)} min, ${format(of.mean)} mean, ${format(of.max)} max`;
  const lasting = Object.entries(operator.held).filter(([, s]) => s > 0.0005).sort((a, b) => b[1] - a[1]);
  return element('div', {class: 'card', id: 'operator'},
    element('h2', {}, operator.title, ' ', state(operator.state)),
    operator.heldBy ? element('p', {class: 'reason'}, element('b', {}, 'Held back by ' + operator.heldBy + ': '), operator.heldReason ?? 'no reason is given') : null,
    element('div', {class: 'scroll'}, element('table', {}, element('tbody', {},
      line('rows', `${amount(operator.rowsIn)} in, ${amount(operator.rowsOut)} out, ${amount(operator.rate)} rows/s`),
      line('bytes', `${bytes(operator.bytesIn)} in, ${bytes(operator.bytesOut)} out`),
      line('tasks', `${amount(operator.tasksRunning)} running, ${amount(operator.tasksFinished)} finished` + (operator.totalTasks === null ? '' : ` of ${amount(operator.totalTasks)}`) + `, ${amount(operator.tasksFailed)} failed`),
      line('queue', `${operator.queuedBlocks} blocks, ${bytes(operator.queuedBytes)}`),
      line('memory', `${bytes(operator.memory)} now, ${bytes(operator.peakMemory)} of output at most`),
      operator.maxActors > 0 ? line('actors', `${operator.readyActors} ready, ${operator.actors} started, ${operator.maxActors} at most` + (operator.scaling ? `; last change: ${operator.scaling}` : '')) : null,
      line('task time', spread(operator.wall, time)),
      line('CPU time', spread(operator.cpu, time)),
      line('wait in the queue', spread(operator.queueWait, time)),
      line('rows in a block', spread(operator.rowsPerBlock, amount)),
      operator.read ? line('read', `${amount(operator.read.files)} files, ${bytes(operator.read.bytes)}`) : null,
      operator.written ? line('written', `${amount(operator.written.files)} files, ${bytes(operator.written.bytes)}`) : null,
      lasting.length > 0 ? line('held so far', lasting.map(([policy, s]) => `${time(s)} by ${policy}`).join(', ')) : null,
      ...Object.entries(operator.counters).map(([name, value]) => line(name, name.endsWith('Nanos') ? time(value / 1e9) : amount(value)))))));
}

function timelines(run) {
  const points = run.series;
  const actors = run.operators.map((operator, i) => ({operator, i})).filter(({operator}) => operator.maxActors > 0);
  const some = run.operators.map((operator, i) => ({label: operator.name, value: point => point.rates[i]})).slice(0, 5);
  return element('div', {class: 'charts'},
    chart('Throughput (rows/s)', points, [{label: 'in', value: p => p.rowsIn}, {label: 'out', value: p => p.rowsOut}], amount),
    chart('Rows/s of operators' + (run.operators.length > 5 ? ' (the first five)' : ''), points, some, amount),
    chart('Memory', points, [{label: 'this run', value: p => p.memory}, {label: 'the session', value: p => p.held}], bytes, run.memoryLimit),
    chart('CPUs', points, [{label: 'used by the process', value: p => p.cpus}, {label: 'taken by tasks', value: p => p.slots}], amount, run.cpus),
    run.gpus > 0 ? chart('GPUs', points, [{label: 'taken', value: p => p.gpus}], amount, run.gpus) : null,
    chart('Spilled (bytes/s)', points, [{label: 'the session', value: p => p.spilled}], bytes),
    actors.length > 0 ? chart('Actors', points, actors.map(({operator, i}) => ({label: operator.name, value: p => p.actors[i]})).slice(0, 5), amount) : null);
}

function tasksPart(run) {
  const tasks = run.tasks ?? [];
  const slowest = tasks.filter(t => t.slow).sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, 20);
  return [
    element('div', {class: 'card'}, element('h2', {}, 'Tasks over time'),
      element('p', {class: 'dim'}, `${tasks.length} tasks are shown: running ones, the slowest of each operator, and others spread over the run.`),
      tasks.length === 0 ? element('p', {}, 'None yet.') : gantt(run, tasks),
      element('div', {class: 'legend'}, element('span', {class: 'c3'}, element('i'), 'running'), element('span', {class: 'c0'}, element('i'), 'finished'), element('span', {class: 'c1'}, element('i'), 'among the slowest'), element('span', {class: 'cl'}, element('i'), 'failed'))),
    element('div', {class: 'card'}, element('h2', {}, 'The slowest tasks'), element('div', {class: 'scroll'}, element('table', {class: 'stack'},
      element('thead', {}, element('tr', {}, element('th', {}, 'Input'), element('th', {}, 'Operator'), ['Time', 'CPU', 'Paused', 'Rows'].map(t => element('th', {class: 'n'}, t)), element('th', {}, 'Node'))),
      element('tbody', {}, slowest.map(t => element('tr', {}, element('td', {class: 'wide'}, t.input), element('td', {'data-label': 'operator'}, shortened(run.operators[t.operator].name, 40)),
        [['time', time(t.end - t.start)], ['CPU', time(t.cpu)], ['paused', time(t.paused)], ['rows', amount(t.rows)]].map(([label, v]) => element('td', {class: 'n', 'data-label': label}, v)),
        element('td', {'data-label': 'node'}, t.node ?? ''))))))),
  ];
}

function errorsPart(run) {
  const letters = run.deadLetters ?? [];
  return [
    element('div', {class: 'card'}, element('h2', {}, 'Errors'),
      run.errors.length === 0 ? element('p', {}, 'There are none.') : element('div', {class: 'scroll'}, element('table', {class: 'stack'},
        element('thead', {}, element('tr', {}, element('th', {}, 'Error'), element('th', {}, 'Operator'), element('th', {}, 'Kind'), element('th', {class: 'n'}, 'Count'), element('th', {}, 'Where'))),
        element('tbody', {}, run.errors.map(error => element('tr', {}, element('td', {class: 'wide bad'}, error.message), element('td', {class: 'wide', 'data-label': 'operator'}, error.operator),
          element('td', {'data-label': 'kind'}, error.kind), element('td', {class: 'n', 'data-label': 'count'}, amount(error.count)), element('td', {class: 'wide', 'data-label': 'where'}, error.where))))))),
    ...letters.map(letter => element('div', {class: 'card'}, element('h2', {}, `Dead letters '${letter.name}': ${amount(letter.rows)} rows`),
      letter.first.length === 0 ? null : element('div', {class: 'scroll'}, element('table', {},
        element('thead', {}, element('tr', {}, Object.keys(letter.first[0]).map(column => element('th', {}, column)))),
        element('tbody', {}, letter.first.map(row => element('tr', {}, Object.values(row).map(value => element('td', {class: 'wide'}, value ?? 'null'))))))))),
    run.state === 'running' ? element('p', {class: 'dim'}, 'Rows that failed are counted when their task ends; samples of dead letters come when the run has ended.') : null,
  ];
}

function nodesPart(run) {
  return element('div', {class: 'card'}, element('h2', {}, 'Nodes'), element('div', {class: 'scroll'}, element('table', {class: 'stack'},
    element('thead', {}, element('tr', {}, element('th', {}, 'Node'), ['CPUs used', 'GPUs used', 'Block memory', 'Blocks queued there', 'Tasks ended'].map(t => element('th', {class: 'n'}, t)))),
    element('tbody', {}, run.nodes.map(node => element('tr', {}, element('td', {}, node.name),
      [['CPUs', `${amount(node.used.cpus)} of ${amount(node.total.cpus)}`], ['GPUs', node.total.gpus > 0 ? `${amount(node.used.gpus)} of ${amount(node.total.gpus)}` : '-'],
        ['block memory', node.blockMemory > 0 ? bytes(node.blockMemory) : '-'], ['queued there', node.bytes === null ? '-' : bytes(node.bytes)], ['tasks ended', amount(node.tasks)]]
        .map(([label, v]) => element('td', {class: 'n', 'data-label': label}, v))))))));
}

function textPart(run) {
  return [
    element('div', {class: 'card'}, element('h2', {}, 'Plan'), element('pre', {tabindex: 0}, run.explain || 'Not printed yet.')),
    element('div', {class: 'card'}, element('div', {class: 'row'}, element('h2', {}, 'Statistics'),
      run.state === 'running' ? element('button', {type: 'button', 'data-key': 'again', on: {click: freshText}}, 'Read again') : null), element('pre', {tabindex: 0}, run.stats)),
    element('div', {class: 'card'}, element('h2', {}, 'Settings in force'), element('div', {class: 'scroll'}, element('table', {}, element('tbody', {},
      run.settings.map(setting => element('tr', {}, element('th', {}, setting.name), element('td', {class: 'wide'}, setting.text))))))),
  ];
}

// ---- two runs

async function showCompared(first, second) {
  const [a, b] = await Promise.all([fetched('/api/runs/' + first), fetched('/api/runs/' + second)]);
  view = {page: 'compare'};
  listen('', {});
  const line = (label, x, y, format) => {
    const ratio = x > 0 && y > 0 ? (y / x).toFixed(2) + ' x' : '';
    return element('tr', {}, element('td', {class: 'wide'}, label), element('td', {class: 'n'}, x === undefined ? '-' : format(x)), element('td', {class: 'n'}, y === undefined ? '-' : format(y)), element('td', {class: 'n'}, ratio));
  };
  const names = [...new Set([...a.operators, ...b.operators].map(operator => operator.name))];
  const of = (run, name) => run.operators.find(operator => operator.name === name);
  const head = element('thead', {}, element('tr', {}, element('th', {}, ''), [a, b].map(run => element('th', {class: 'n'}, run.name)), element('th', {class: 'n'}, 'second / first')));
  main.replaceChildren(
    element('h1', {}, 'Two runs'),
    element('div', {class: 'card scroll'}, element('table', {}, head, element('tbody', {},
      line('time', a.elapsed, b.elapsed, time), line('rows in', a.rowsIn, b.rowsIn, amount), line('rows out', a.rowsOut, b.rowsOut, amount),
      line('rows in per second', a.rowsIn / a.elapsed, b.rowsIn / b.elapsed, amount), line('peak memory', a.peakMemory, b.peakMemory, bytes),
      names.map(name => [
        line('task time of ' + name, of(a, name)?.wall.total, of(b, name)?.wall.total, time),
        line('CPU time of ' + name, of(a, name)?.cpu.total, of(b, name)?.cpu.total, time),
        line('tasks of ' + name, of(a, name)?.tasksFinished, of(b, name)?.tasksFinished, amount)])))),
    element('div', {class: 'twice'}, [a, b].map(run => element('div', {class: 'card'},
      element('h2', {}, element('a', {href: '#/run/' + run.id}, run.name), ' ', state(run.state)), element('p', {class: 'dim'}, when(run.startedAt)),
      chart('Throughput (rows/s)', run.series, [{label: 'in', value: p => p.rowsIn}, {label: 'out', value: p => p.rowsOut}], amount),
      chart('Memory', run.series, [{label: 'this run', value: p => p.memory}], bytes, run.memoryLimit),
      element('pre', {tabindex: 0}, run.explain)))));
}

// ---- addresses

async function show() {
  const [, page, first, second] = location.hash.split('/');
  try {
    if (page === 'run' && first) await showRun(first);
    else if (page === 'compare' && first && second) await showCompared(first, second);
    else await showRuns();
  } catch (failure) {
    main.replaceChildren(element('p', {class: 'failure', role: 'alert'}, failure.message), element('a', {href: '#/'}, 'All runs'));
  }
}
addEventListener('hashchange', () => { show(); main.focus(); });
matchMedia('(max-width: 700px)').addEventListener('change', () => { if (view.page === 'run') drawRun(); });
show();
