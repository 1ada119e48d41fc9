// The waste of a parallel run: a tree of contexts, the source beside it, and a time line of the threads.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// Shows the waste.  The parameters are the data and functions of script.js.
function showWaste({data, element, make, named, grouped, percent, baseName, showMissing}) {
  const waste = data.waste;
  element("waste").hidden = !waste;
  element("waste-link").hidden = !waste;
  if (!waste) return;
  const kinds = ["work", "idleness", "overhead", "waiting"];
  const sum = (times) => times.reduce((all, time) => all + time, 0);
  const effort = sum(waste.total);
  const share = (time) => percent(time, effort).toFixed(2);
  function time(ns) {
    const [size, suffix] = [[1e9, " s"], [1e6, " ms"], [1e3, " µs"], [1, " ns"]].find(([least]) => ns >= least) ?? [1, ""];
    const scaled = ns / size;
    return ns > 0 ? scaled.toFixed(scaled >= 100 ? 1 : scaled >= 10 ? 2 : 3) + suffix : "0";
  }

  function showWhole() {
    const how = [`${waste.processors} processors, ${waste.workers} ${waste.sampled} workers`,
      waste.runs > 1 ? `${waste.runs} runs` : "", waste.elapsed > 0 ? `${time(waste.elapsed)} elapsed` : "",
      `${grouped(waste.samples)} samples, ${(waste.cpu > 0 ? (waste.samples * 1e9) / waste.cpu : 0).toFixed(0)} Hz of ${grouped(waste.hz)}`,
      waste.flags & 1 ? "the program did not finish" : ""];
    element("waste-how").textContent = how.filter(Boolean).join(" · ");
    const parts = [["Effort", effort], ...kinds.map((kind, i) => [kind[0].toUpperCase() + kind.slice(1), waste.total[i]])];
    if (waste.elapsed > 0 && waste.blocked === undefined) parts.push(["Neither", waste.neither]);
    if (waste.elapsed > 0 && waste.blocked !== undefined)
      parts.push(["Blocked", waste.blocked], ["Preempted", waste.preempted]);
    if (waste.notUnwound > 0) parts.push(["Not unwound", waste.notUnwound]);
    for (const [name, value] of parts)
      element("waste-totals").append(make("div", {}, make("dt", {}, name), make("dd", {}, time(value)),
        make("dd", {class: "muted small"}, ["Effort", "Neither", "Blocked", "Preempted"].includes(name) ? "" : `${share(value)}%`)));
    element("waste-advice").textContent = waste.advice;
  }

  // Shows the factors of the efficiency, with a column for each number of workers.  Those below 0.8 are marked.
  function showEfficiency() {
    const {workers, rows: factors, worst} = waste.efficiency;
    element("efficiency-worst").textContent = worst;
    element("efficiency-workers").append(make("th", {scope: "col", class: "left"}, "workers"),
      ...workers.map((number) => make("th", {scope: "col"}, number)));
    for (const [name, depth, values] of factors) {
      const label = make("th", {scope: "row", class: "left"}, name);
      label.style.paddingLeft = `${0.5 + Math.max(depth, 0)}rem`;
      element("efficiency-rows").append(make("tr", {}, label, ...values.map((value) =>
        make("td", {class: depth >= 0 && value !== null && value < 0.8 ? "low" : undefined}, value === null ? "–" : value.toFixed(2)))));
    }
  }

  // Shows what each thread did, or a strip for each thread, which is darker where the thread was busier.
  function showTimeline() {
    const line = waste.timeline;
    element("thread-rows").hidden = !waste.slices;
    if (waste.slices) showThreads({waste, element, make, grouped, time});
    element("timeline").hidden = !line;
    if (!line) return;
    const count = line.threads[0]?.length ?? 0;
    line.threads.forEach((row, thread) => {
      const stops = row.map((ns, i) => {
        const busy = Math.round(Math.min(100, percent(ns, line.bucket_ns)));
        const color = `color-mix(in srgb, var(--accent) ${busy}%, var(--ground))`;
        return `${color} ${(100 * i) / count}% ${(100 * (i + 1)) / count}%`;
      });
      const strip = make("div", {class: "strip", role: "img", title: `thread ${thread + 1}`,
        "aria-label": `thread ${thread + 1} worked ${percent(sum(row), count * line.bucket_ns).toFixed(0)}% of the time`});
      strip.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      strip.addEventListener("mousemove", (event) => {
        const at = Math.min(count - 1, Math.floor((event.offsetX / strip.clientWidth) * count));
        element("timeline-at").textContent = `at ${time(at * line.bucket_ns)}: ${
          line.threads.filter((other) => other[at] >= line.bucket_ns / 2).length} of ${waste.processors} at work`;
      });
      element("strips").append(strip);
    });
    element("timeline-end").textContent = time(count * line.bucket_ns);
  }

  const contexts = waste.contexts.map(([parent, to, file, line, ...times], index) => ({
    parent, to, file: file >= 0 ? waste.files[file] : "", line, own: times.slice(0, 4), all: times.slice(4), index, children: []}));
  for (const context of contexts) if (context.parent >= 0) contexts[context.parent].children.push(context);
  const roots = contexts.filter(({parent}) => parent < 0);

  // Returns a row: a function, a source location, times, and a function that makes its children when it is opened.
  const topDown = (context) => ({to: context.to, file: context.file, line: context.line, times: context.all,
    has: context.children.length > 0, below: () => context.children.map(topDown)});
  // Returns the rows of the callers of ITEMS.  An item has a context OF, whose exclusive times count, and its ancestor
  // AT, whose caller the row represents.
  function callers(items) {
    const groups = new Map();
    for (const {of, at} of items) {
      if (at.parent < 0) continue;
      const caller = contexts[at.parent], key = `${caller.to} ${at.file} ${at.line}`;
      if (!groups.has(key)) groups.set(key, {to: caller.to, file: at.file, line: at.line, items: []});
      groups.get(key).items.push({of, at: caller});
    }
    return [...groups.values()].map(bottomUp);
  }
  const bottomUp = ({to, file, line, items}) => ({to, file, line,
    times: kinds.map((kind, i) => items.reduce((all, {of}) => all + of.own[i], 0)),
    has: items.some(({at}) => at.parent >= 0), below: () => callers(items)});
  function functions() {
    const groups = new Map();
    for (const of of contexts) {
      if (sum(of.own) === 0) continue;
      if (!groups.has(of.to)) groups.set(of.to, {to: of.to, file: "", line: 0, items: []});
      groups.get(of.to).items.push({of, at: of});
    }
    return [...groups.values()].map(bottomUp);
  }

  let rows = [];
  let order = {column: "effort", down: true};
  const columns = [{name: "function", text: ({to}) => waste.functions[to][0].toLowerCase()},
    {name: "effort", value: ({times}) => sum(times)},
    ...kinds.map((name, i) => ({name, value: ({times}) => times[i]}))];
  function compare(a, b) {
    const {value, text} = columns.find(({name}) => name === order.column);
    const less = value ? value(a) - value(b) : text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0;
    return order.down ? -less : less;
  }

  function open(row, opened) {
    row.opened = opened && row.has;
    row.children ??= row.opened ? row.below() : undefined;
    draw(row);
  }
  const cell = (ns) => make("td", {title: time(ns), class: ns === 0 ? "muted" : undefined}, `${share(ns)}%`);
  function makeRow(row, depth) {
    const [brief, judgement] = waste.functions[row.to], full = waste.functions[row.to].at(-1);
    const toggle = make("button", {type: "button", class: "toggle", tabindex: "-1", "aria-hidden": true},
      row.has ? (row.opened ? "▾" : "▸") : "");
    toggle.addEventListener("click", () => open(row, !row.opened));
    const name = make("td", {class: "left name"}, toggle, make("span", {title: full === judgement ? brief : full}, brief), " ",
      row.line > 0 ? placeLink(row.file, row.line) : "");
    name.style.paddingLeft = `${0.2 + 1.1 * depth}rem`;
    const tr = make("tr", {"aria-level": depth + 1, tabindex: "-1", "aria-expanded": row.has ? String(Boolean(row.opened)) : undefined},
      name, make("td", {}, time(sum(row.times))), ...row.times.map(cell));
    tr.addEventListener("keydown", (event) => key(event, row, tr));
    row.element = tr;
    return tr;
  }
  function draw(focused) {
    const made = [];
    const visit = (list, depth) => {
      for (const row of [...list].sort(compare)) {
        made.push(makeRow(row, depth));
        if (row.opened) visit(row.children, depth + 1);
      }
    };
    visit(rows, 0);
    element("waste-rows").replaceChildren(...made);
    (focused?.element ?? made[0])?.setAttribute("tabindex", "0");
    focused?.element.focus();
    for (const column of columns) {
      if (column.name === order.column) column.heading.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else column.heading.removeAttribute("aria-sort");
    }
  }
  function key(event, row, tr) {
    const next = {ArrowDown: tr.nextElementSibling, ArrowUp: tr.previousElementSibling}[event.key];
    if (next) {
      tr.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft" || event.key === "Enter") {
      open(row, event.key === "Enter" ? !row.opened : event.key === "ArrowRight");
    } else {
      return;
    }
    event.preventDefault();
  }

  function view(made, pressed) {
    rows = made;
    for (const id of ["top-down", "bottom-up"]) element(id).setAttribute("aria-pressed", String(id === pressed));
    // Open the path to the context with the most effort.
    for (let list = rows, depth = 0; pressed === "top-down" && list?.length && depth < 4; depth++) {
      const row = [...list].sort((a, b) => sum(b.times) - sum(a.times))[0];
      row.opened = row.has;
      row.children = row.has ? row.below() : undefined;
      list = row.children;
    }
    draw();
  }
  function showTree() {
    for (const column of columns) {
      const button = make("button", {type: "button"}, column.name);
      column.heading = make("th", {scope: "col", class: column.text ? "left" : undefined}, button);
      button.addEventListener("click", () => {
        order = {column: column.name, down: column.name === order.column ? !order.down : !column.text};
        draw();
      });
      element("waste-headings").append(column.heading);
    }
    element("top-down").addEventListener("click", () => view(roots.map(topDown), "top-down"));
    element("bottom-up").addEventListener("click", () => {
      order = {column: "idleness", down: true};
      view(functions(), "bottom-up");
    });
    view(roots.map(topDown), "top-down");
    element("waste-note").textContent = waste.contextsLeftOut > 0
      ? `The ${grouped(waste.contextsLeftOut)} smallest paths are left out.` : "";
  }

  // The source beside the tree.
  function placeLink(file, line) {
    const index = waste.sources.findIndex((source) => source.file === file), text = `${baseName(file)}:${line}`;
    if (index < 0) return make("span", {class: "muted", title: file}, text);
    const link = make("a", {href: `#waste-line-${line}`, title: file, tabindex: "-1"}, text);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      drawSource(index, line);
    });
    return link;
  }
  function drawSource(index, marked) {
    const {lines, notes} = waste.sources[index], noted = new Map(notes.map(([line, ...times]) => [line, times]));
    element("waste-file").value = index;
    element("waste-lines").replaceChildren(...lines.map((line, i) => {
      const times = noted.get(i + 1);
      return make("tr", {id: `waste-line-${i + 1}`, class: [times && "noted", i + 1 === marked && "marked"].filter(Boolean).join(" ")},
        ...kinds.map((kind, k) => make("td", {title: times && time(times[k])}, times && times[k] > 0 ? `${share(times[k])}%` : "")),
        make("td", {class: "number"}, i + 1), make("td", {class: "text"}, line));
    }));
    const at = marked ?? [...noted].sort(([, a], [, b]) => sum(b) - sum(a))[0]?.[0];
    const row = element(`waste-line-${at}`), pane = element("waste-code");
    if (row) pane.scrollTop = row.offsetTop - pane.clientHeight / 2;
  }
  function showSources() {
    showMissing(waste.missing, "waste-missing");
    element("waste-source").hidden = waste.sources.length + waste.missing.length === 0;
    element("waste-file").hidden = element("waste-code").hidden = waste.sources.length === 0;
    if (waste.sources.length === 0) return;
    waste.sources.forEach(({file}, index) => element("waste-file").append(make("option", {value: index}, file)));
    element("waste-file").addEventListener("change", () => drawSource(Number(element("waste-file").value)));
    const held = waste.sources.map(({notes}) => notes.reduce((all, [, ...times]) => all + sum(times), 0));
    drawSource(held.indexOf(Math.max(...held)));
  }

  // What takes longer than with one worker, if that is known: functions, then lines.
  function showInflation() {
    const {text, rows: slower} = waste.inflation;
    element("inflation").hidden = slower.length === 0;
    element("inflation-text").textContent = text;
    const counted = slower.some(([, , , , , , misses, hitm]) => misses !== null || hitm !== null);
    const known = (value) => make("td", {}, value === null ? "–" : value.toFixed(2));
    if (counted)
      element("inflation-cause").before(...["misses", "HITM"].map((name) => make("th", {scope: "col", title: "for every 1000 instructions"}, name)));
    for (const [part, times, error, copies, cause, name, misses, hitm] of slower)
      element("inflation-rows").append(make("tr", {}, make("td", {}, `${(100 * part).toFixed(2)}%`), known(times),
        known(error), known(copies), ...(counted ? [known(misses), known(hitm)] : []),
        make("td", {class: "left"}, make("span", {class: "tag"}, cause)), make("td", {class: "left"}, name)));
  }

  // The causes, if the profile also has work and span.
  function showCauses() {
    element("causes").hidden = !waste.causes;
    for (const [name, span, parallel, times, cause, ...own] of waste.causes ?? [])
      element("cause-rows").append(make("tr", {},
        make("td", {}, data.span > 0 ? `${percent(span, data.span).toFixed(2)}%` : "–"),
        make("td", {}, parallel > 0 ? parallel.toFixed(parallel < 100 ? 2 : 0) : "–"),
        ...own.map((ns) => make("td", {}, `${share(ns)}%`)), make("td", {}, times > 0 ? times.toFixed(2) : "–"),
        make("td", {class: "left"}, make("span", {class: "tag"}, cause)), make("td", {class: "left"}, name)));
  }

  showWhole();
  showEfficiency();
  showTimeline();
  showSources();
  showTree();
  showInflation();
  showCauses();
}
