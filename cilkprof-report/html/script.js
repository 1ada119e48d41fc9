// The page of cilkprof-report: from its data to tables and graphs.  SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);

  // make("td", {class: "name"}, "text", child...): text is never taken for markup.
  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...children.map((child) => (typeof child === "number" ? String(child) : child)));
    return made;
  }

  // Numbers as the text report has them.
  const scales = data.unitsPerSecond > 0
    ? [[1, " s"], [1e-3, " ms"], [1e-6, " µs"], [1e-9, " ns"]]
    : [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"], [1, ""]];
  function cost(units) {
    const value = data.unitsPerSecond > 0 ? units / data.unitsPerSecond : units;
    if (!(value > 0)) return "0";
    const [size, suffix] = scales.find(([least]) => value >= least) ?? scales.at(-1);
    const scaled = value / size;
    const decimals = suffix === "" ? 0 : scaled >= 100 ? 1 : scaled >= 10 ? 2 : 3;
    return scaled.toFixed(decimals) + suffix;
  }
  const ratio = (work, span) => (span > 0 ? work / span : NaN);
  function parallelism(work, span) {
    const value = ratio(work, span);
    return Number.isNaN(value) ? "–" : value.toFixed(value < 100 ? 2 : value < 10000 ? 1 : 0);
  }
  const grouped = (count) => count.toLocaleString("en-US");
  const percent = (part, whole) => (whole > 0 ? (100 * part) / whole : 0);
  const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

  const sites = data.sites.map((list) => {
    const [kind, file, caller, callee, line, count, localSpan, localWork, spanWork, spanSpan, work, span, ownWork] = list;
    return {kind, file, caller, callee, line, count, localSpan, localWork, spanWork, spanSpan, work, span, ownWork,
      place: line > 0 ? `${baseName(file)}:${line}` : baseName(file),
      share: percent(localSpan, data.span),
      parallel: ratio(work, span)};
  });
  const isSerial = (work, span) => ratio(work, span) < 1.1;

  // Places lead to their line of the source, where that is there.
  const sourceOf = (file) => data.sources.findIndex((source) => source.file === file || baseName(source.file) === file);
  function placeLink(file, line, text) {
    const index = sourceOf(file);
    if (index < 0 || !(line > 0)) return document.createTextNode(text);
    const link = make("a", {href: `#line-${line}`}, text);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      showLine(index, line);
    });
    return link;
  }
  function withLinks(text) {
    const parts = [];
    let from = 0;
    for (const match of text.matchAll(/([\w.+-]+\.\w+):(\d+)/g)) {
      parts.push(text.slice(from, match.index), placeLink(match[1], Number(match[2]), match[0]));
      from = match.index + match[0].length;
    }
    return [...parts, text.slice(from)];
  }

  function showHeader() {
    document.title = `${data.command} – cilkprof`;
    element("command").textContent = data.command;
    const how = [`Measured by ${data.mode}`];
    if (data.runs > 1) how.push(`${data.runs} runs, added up`);
    how.push(`burden ${grouped(data.burden)} instructions`);
    if (data.time) how.push(`time ${data.time}`);
    if (data.systemTime) how.push(`system time ${data.systemTime}`);
    if (data.flags & 1) how.push("the run did not reach its end, or could not be followed all the way");
    if (data.flags & 4) how.push("other threads were not profiled");
    element("how").textContent = how.join(" · ");
    const strand = Math.floor(data.work / (1 + 2 * data.spawns + data.syncs));
    const totals = [
      ["Parallelism", parallelism(data.work, data.span), "lead"],
      ["Burdened parallelism", parallelism(data.work, data.burdenedSpan)],
      ["Work", cost(data.work)],
      ["Span", cost(data.span)],
      ["Spawns", grouped(data.spawns)],
      ["Average strand", cost(strand)],
    ];
    for (const [name, value, kind] of totals)
      element("totals").append(make("div", {class: kind}, make("dt", {}, name), make("dd", {}, value)));
  }

  // In the text report a finding follows a colon.  Names stay as they are.
  const names = new Set(sites.flatMap(({caller, callee}) => [caller, callee, caller.split("(")[0], callee.split("(")[0]]));
  const asSentence = (text) => (names.has(text.split(/[\s,(]/)[0]) ? text : text[0].toUpperCase() + text.slice(1));

  const finding = ({tone, subject, text}) =>
    make("li", {class: tone}, make("strong", {}, subject), make("span", {}, ...withLinks(asSentence(text))));
  function showFindings() {
    element("verdict-heading").textContent =
      `Verdict for ${data.processors} processor${data.processors === 1 ? "" : "s"}`;
    element("findings").append(...data.findings.map(finding));
  }

  // What-ifs, where the program computed some: speedups are over the program as it is on one processor.
  function whatifRow(name, span, work, calls, changed) {
    const speedup = span > 0 ? (data.work / Math.max(work / data.processors, span)).toFixed(2) : "–";
    return make("tr", {}, make("td", {}, cost(span)),
      make("td", {}, changed ? `${percent(data.span - span, data.span).toFixed(2)}%` : ""),
      make("td", {}, cost(work)), make("td", {}, parallelism(work, span)), make("td", {}, speedup),
      make("td", {}, calls), make("td", {class: "left"}, ...withLinks(name)));
  }
  function showWhatifs() {
    const none = data.whatifs.length === 0;
    element("whatif").hidden = none;
    element("whatif-link").hidden = none;
    if (none) return;
    element("whatif-speedup").textContent = `speedup on ${data.processors}`;
    element("whatif-rows").append(whatifRow("as it is", data.span, data.work, "", false));
    for (const [candidate, faster, calls, work, span, said] of data.whatifs) {
      const name = faster > 0 ? `${candidate} is ${faster} times as fast` : `${candidate} costs nothing`;
      element("whatif-rows").append(whatifRow(name, span, work, grouped(calls), true));
      if (said) element("whatif-findings").append(finding(said));
    }
  }

  // The icicle graphs.
  const boxes = data.boxes.map(([parent, site, count, work, span, workSize, spanSize], index) => ({
    parent, site: site >= 0 ? sites[site] : null, count, work, span, sizes: {work: workSize, span: spanSize},
    index, children: []}));
  const root = {parent: null, children: [], sizes: {work: data.work, span: data.span}, depth: -1};
  for (const box of boxes) {
    box.above = box.parent >= 0 ? boxes[box.parent] : root;
    box.depth = box.above.depth + 1;
    box.above.children.push(box);
  }
  let metric = "work";
  let zoomed = root;
  const rowHeight = 26;

  function boxColor(box) {
    const value = ratio(box.work, box.span);
    const part = Math.min(1, Math.max(0, Math.log2(value || 1) / 6)); // 64 is as parallel as it gets
    return `color-mix(in oklab, var(--serial) ${100 - 100 * part}%, var(--parallel))`;
  }
  const boxName = (box) => (box.site ? `${box.site.kind === "spawn" ? "spawn " : ""}${box.site.callee}` : "…");

  // Left and width of every box in its own graph, as parts of the whole.
  function layOut() {
    const visit = (box, left) => {
      box.left = left;
      box.children.sort((a, b) => b.sizes[metric] - a.sizes[metric] || a.index - b.index);
      for (const child of box.children) {
        visit(child, left);
        left += child.sizes[metric];
      }
    };
    visit(root, 0);
  }

  function describe(box) {
    const place = box.site ? [" at ", placeLink(baseName(box.site.file), box.site.line, box.site.place)] : [];
    element("detail").replaceChildren(make("b", {}, boxName(box)), ...(box.site?.kind === "loop" ? [] : place),
      ` · work ${cost(box.work)} (${percent(box.sizes.work, data.work).toFixed(1)}%)` +
      ` · ${percent(box.sizes.span, data.span).toFixed(1)}% of the span` +
      ` · parallelism ${parallelism(box.work, box.span)} · ${grouped(box.count)} call${box.count === 1 ? "" : "s"}`);
  }

  function drawIcicle() {
    const whole = zoomed.sizes[metric];
    const isAbove = (box) => {
      for (let at = zoomed; at && at !== root; at = at.above) if (at === box) return true;
      return false;
    };
    let depth = 0;
    for (const box of boxes) {
      const above = isAbove(box) && box !== zoomed;
      const left = above ? 0 : (box.left - zoomed.left) / whole;
      const width = above ? 1 : box.sizes[metric] / whole;
      const inside = above || (left >= -1e-9 && left + width <= 1 + 1e-9);
      box.shown = inside && width > 0.0008;
      box.button.hidden = !box.shown;
      if (!box.shown) continue;
      depth = Math.max(depth, box.depth + 1);
      box.button.style.left = `${100 * left}%`;
      box.button.style.width = `${100 * width}%`;
      box.button.classList.toggle("narrow", width < 0.025);
      box.button.classList.toggle("above", above);
    }
    element("icicle").style.height = `${Math.max(1, depth) * rowHeight}px`;
    element("zoom-out").disabled = zoomed === root;
    const shown = boxes.filter((box) => box.shown);
    const tabbable = shown.includes(zoomed) ? zoomed : shown[0];
    for (const box of boxes) box.button.tabIndex = box === tabbable ? 0 : -1;
  }
  function zoom(box) {
    zoomed = box;
    drawIcicle();
    if (box !== root) {
      describe(box);
      box.button.focus({preventScroll: true});
    }
  }
  const zoomOut = () => {
    const from = zoomed;
    if (zoomed === root) return;
    zoomed = zoomed.above;
    drawIcicle();
    from.button.focus({preventScroll: true});
  };

  function moveFrom(box, key) {
    const siblings = box.above.children.filter((other) => other.shown);
    const place = siblings.indexOf(box);
    const targets = {
      ArrowLeft: siblings[place - 1],
      ArrowRight: siblings[place + 1],
      ArrowUp: box.above === root ? undefined : box.above,
      ArrowDown: box.children.find((child) => child.shown),
    };
    targets[key]?.button.focus({preventScroll: true});
    return key in targets;
  }

  function makeBox(box) {
    box.button = make("button", {type: "button", class: "box", title: boxName(box)}, boxName(box));
    box.button.style.top = `${box.depth * rowHeight}px`;
    box.button.style.background = boxColor(box);
    box.button.addEventListener("click", () => zoom(box));
    box.button.addEventListener("mouseenter", () => describe(box));
    box.button.addEventListener("focus", () => describe(box));
    box.button.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || event.key === "Backspace") zoomOut();
      else if (!moveFrom(box, event.key)) return;
      event.preventDefault();
    });
    return box.button;
  }
  function choose(name) {
    metric = name;
    zoomed = root;
    element("by-work").setAttribute("aria-pressed", name === "work");
    element("by-span").setAttribute("aria-pressed", name === "span");
    layOut();
    drawIcicle();
  }

  function showIcicle() {
    element("icicle").append(...boxes.map(makeBox));
    element("by-work").addEventListener("click", () => choose("work"));
    element("by-span").addEventListener("click", () => choose("span"));
    element("zoom-out").addEventListener("click", zoomOut);
    element("boxes-note").textContent = data.boxesMeasured
      ? "Calling contexts as they were measured, folded at recursion. A box is as wide as its work, or as its part of the critical path."
      : "Put together from the call sites: a function is opened where it is reached first. Run the program with CILKPROF_CONTEXTS=1 to measure calling contexts.";
    element("detail").textContent = "Point at a box to see its figures, click it to zoom in. Arrows, Enter and Escape do the same.";
    choose("work");
  }

  // The table of call sites.
  const columns = [
    {name: "% span", value: (site) => site.share, cell: shareCell},
    {name: "local span", value: (site) => site.localSpan, text: (site) => cost(site.localSpan)},
    {name: "work", value: (site) => site.work, text: (site) => cost(site.work)},
    {name: "span", value: (site) => site.span, text: (site) => cost(site.span)},
    {name: "parallelism", value: (site) => site.parallel || 0, cell: (site) =>
      make("td", {class: isSerial(site.work, site.span) ? "serial" : undefined}, parallelism(site.work, site.span))},
    {name: "calls", value: (site) => site.count, text: (site) => grouped(site.count)},
    {name: "kind", text: (site) => site.kind, cell: (site) => make("td", {class: "left"}, make("span", {class: "tag"}, site.kind)), left: true},
    {name: "place", text: (site) => site.place, cell: (site) =>
      make("td", {class: "left"}, placeLink(baseName(site.file), site.line, site.place)), left: true},
    {name: "caller → callee", text: (site) => `${site.caller} → ${site.callee}`, cell: (site) =>
      make("td", {class: "name"}, `${site.caller} → ${site.callee}`), left: true},
  ];
  function shareCell(site) {
    const serial = site.share >= 10 && isSerial(site.spanWork, site.spanSpan);
    const bar = make("i", {class: serial ? "bad" : undefined});
    bar.style.width = `${site.share}%`;
    return make("td", {class: "share"}, bar, make("span", {}, site.share.toFixed(2)));
  }
  let order = {column: columns[0], down: true};
  let shownRows = 100;
  const text = (column, site) => column.text(site).toLowerCase();

  function sortedSites() {
    const wanted = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = sites.filter((site) => {
      const words = `${site.caller} ${site.callee} ${site.place} ${site.kind}`.toLowerCase();
      return wanted.every((word) => words.includes(word));
    });
    const {column, down} = order;
    const compare = column.value
      ? (a, b) => column.value(a) - column.value(b)
      : (a, b) => (text(column, a) < text(column, b) ? -1 : text(column, a) > text(column, b) ? 1 : 0);
    return found.sort((a, b) => (down ? compare(b, a) : compare(a, b)));
  }

  function drawTable() {
    const found = sortedSites();
    element("rows").replaceChildren(...found.slice(0, shownRows).map((site) =>
      make("tr", {}, ...columns.map((column) =>
        (column.cell ? column.cell(site) : make("td", {}, column.text(site)))))));
    element("more").hidden = found.length <= shownRows;
    const all = sites.length + data.sitesLeftOut;
    element("found").textContent = found.length === all ? `${grouped(all)} sites` : `${grouped(found.length)} of ${grouped(all)} sites`;
    for (const column of columns) {
      if (column === order.column) column.heading.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else column.heading.removeAttribute("aria-sort");
    }
  }

  function showTable() {
    for (const column of columns) {
      const button = make("button", {type: "button"}, column.name);
      column.heading = make("th", {scope: "col", class: column.left ? "left" : undefined}, button);
      button.addEventListener("click", () => {
        order = {column, down: column === order.column ? !order.down : !column.left};
        drawTable();
      });
      element("headings").append(column.heading);
    }
    element("search").addEventListener("input", drawTable);
    element("more").addEventListener("click", () => {
      shownRows += 400;
      drawTable();
    });
    drawTable();
  }

  // The source.
  function drawSource(index) {
    const {lines, notes} = data.sources[index];
    const noted = new Map(notes.map(([line, ...note]) => [line, note]));
    element("file").value = index;
    element("lines").replaceChildren(...lines.map((line, i) => {
      const note = noted.get(i + 1);
      let cells = [make("td"), make("td"), make("td"), make("td"), make("td")];
      if (note) {
        const [isFunction, calls, work, onSpan, localSpan, onWork, span] = note;
        const hasSpan = !isFunction || onSpan > 0;
        const share = percent(localSpan, data.span);
        const bar = make("i", {class: isSerial(onWork, span) ? "bad" : undefined});
        bar.style.width = `${share}%`;
        cells = [
          make("td", {}, calls > 0 ? grouped(calls) : "never"),
          make("td", {}, calls > 0 ? cost(work) : ""),
          make("td", {}, calls > 0 && hasSpan ? cost(onSpan) : ""),
          calls > 0 && hasSpan ? make("td", {class: "share"}, bar, make("span", {}, share.toFixed(2))) : make("td"),
          make("td", {}, calls > 0 ? parallelism(onWork, span) : ""),
        ];
      }
      return make("tr", {id: `line-${i + 1}`, class: note ? "noted" : undefined}, ...cells,
        make("td", {class: "number"}, i + 1), make("td", {class: "text"}, line));
    }));
  }
  function showLine(index, line) {
    drawSource(index);
    const row = element(`line-${line}`);
    row?.classList.add("marked");
    row?.scrollIntoView({block: "center"});
  }
  function showSource() {
    if (data.sources.length === 0) {
      element("source").hidden = true;
      element("source-link").hidden = true;
      return;
    }
    data.sources.forEach((source, index) => element("file").append(make("option", {value: index}, source.file)));
    element("file").addEventListener("change", () => drawSource(Number(element("file").value)));
    // The file that holds most of the span is the one to read first.
    const held = data.sources.map(({notes}) => notes.reduce((sum, note) => sum + note[5], 0));
    drawSource(held.indexOf(Math.max(...held)));
  }

  function listen() {
    element("theme").addEventListener("click", () => {
      const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
        (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
      document.documentElement.dataset.theme = dark ? "light" : "dark";
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      event.preventDefault();
      element("search").focus();
    });
    addEventListener("beforeprint", () => {
      shownRows = Infinity;
      drawTable();
    });
  }

  showHeader();
  showFindings();
  showWhatifs();
  showIcicle();
  showTable();
  showSource();
  listen();
})();
