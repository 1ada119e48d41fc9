// The page of cilkprof-report: shows its data as tables and graphs.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);

  // Makes an element: make("td", {class: "name"}, "text", child...).  Text is never interpreted as markup.
  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...children.map((child) => (typeof child === "number" ? String(child) : child)));
    return made;
  }

  // Formats numbers like the text report.
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
  const known = (count) => count > 0 ? grouped(count) : ""; // of what only samples tell of, it is not
  const percent = (part, whole) => (whole > 0 ? (100 * part) / whole : 0);
  const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

  const sites = data.sites.map((list) => {
    const [kind, file, from, to, line, count, localSpan, localWork, spanWork, spanSpan, work, span, ownWork] = list;
    const caller = from >= 0 ? data.names[from][0] : "<spontaneous>", callee = data.names[to][0];
    const full = [from >= 0 ? data.names[from].at(-1) : caller, data.names[to].at(-1)];
    return {kind, file, caller, callee, full, line, count, localSpan, localWork, spanWork, spanSpan, work, span, ownWork,
      place: line > 0 ? `${baseName(file)}:${line}` : baseName(file),
      share: percent(localSpan, data.span),
      parallel: ratio(work, span)};
  });
  const isSerial = (work, span) => ratio(work, span) < 1.1;

  // Returns an element with the brief name.  The full name is its tooltip, and appears below it after a click.
  function named(brief, full, tag = "span") {
    if (brief === full) return make(tag, {class: "brief", title: full}, brief);
    return make("details", {class: "named"}, make("summary", {class: "brief", title: full}, brief), make("span", {class: "full"}, full));
  }

  // Source locations are links to the line, if the page has the source.
  function sourceOf(file) {
    const index = data.sources.findIndex((source) => source.file === file);
    return index >= 0 || file.includes("/") ? index : data.sources.findIndex((source) => baseName(source.file) === file);
  }
  function placeLink(file, line, text) {
    const index = sourceOf(file);
    if (index < 0 || !(line > 0)) return make("span", {title: file}, text);
    const link = make("a", {href: `#line-${line}`, title: data.sources[index].file}, text);
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
    const how = [`Mode ${data.mode}`];
    if (data.runs > 1) how.push(`${data.runs} runs, added up`);
    if (data.root) how.push(`only ${data.root}, ${data.invocations} invocation${data.invocations === 1 ? "" : "s"}`);
    how.push(`burden ${grouped(data.burden)} instructions`);
    if (data.time) how.push(`time ${data.time}`);
    if (data.systemTime) how.push(`system time ${data.systemTime}`);
    if (data.flags & 1) how.push("incomplete: the program did not finish, or could not be followed");
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

  // Capitalizes a finding, which follows a colon in the text report, unless it begins with a name.
  const names = new Set(sites.flatMap(({caller, callee}) => [caller, callee, caller.split("(")[0], callee.split("(")[0]]));
  const asSentence = (text) => (names.has(text.split(/[\s,(]/)[0]) ? text : text[0].toUpperCase() + text.slice(1));

  const finding = ({tone, subject, text}) =>
    make("li", {class: tone}, make("strong", {}, subject), make("span", {}, ...withLinks(asSentence(text))));
  function showFindings() {
    element("verdict-heading").textContent =
      `Verdict for ${data.processors} processor${data.processors === 1 ? "" : "s"}`;
    element("findings").append(...data.findings.map(finding));
    // The page begins with the first few.
    element("more-findings").hidden = data.findings.length <= 4;
    element("more-findings").addEventListener("click", () => {
      element("findings").classList.add("all");
      element("more-findings").hidden = true;
    });
  }

  // What-ifs, if the profile has any.  Speedups are relative to the unchanged program on one processor.
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

  // The table of call sites.
  const columns = [
    {name: "% span", value: (site) => site.share, cell: (site) =>
      barCell(site.share, site.share >= 10 && isSerial(site.spanWork, site.spanSpan))},
    {name: "local span", value: (site) => site.localSpan, text: (site) => cost(site.localSpan)},
    {name: "work", value: (site) => site.work, text: (site) => cost(site.work)},
    {name: "span", value: (site) => site.span, text: (site) => cost(site.span)},
    {name: "parallelism", value: (site) => site.parallel || 0, cell: (site) =>
      make("td", {class: isSerial(site.work, site.span) ? "serial" : undefined}, parallelism(site.work, site.span))},
    {name: "calls", value: (site) => site.count, text: (site) => known(site.count)},
    {name: "kind", text: (site) => site.kind, cell: (site) => make("td", {class: "left"}, make("span", {class: "tag"}, site.kind)), left: true},
    {name: "place", text: (site) => site.place, cell: (site) =>
      make("td", {class: "left"}, placeLink(site.file, site.line, site.place)), left: true},
    {name: "caller → callee", text: (site) => `${site.caller} → ${site.callee}`, cell: (site) =>
      make("td", {class: "name"}, named(`${site.caller} → ${site.callee}`, site.full.join(" → "))), left: true},
  ];
  function barCell(share, bad) {
    const bar = make("i", {class: bad && "bad"});
    bar.style.width = `${share}%`;
    return make("td", {class: "share"}, bar, make("span", {}, share.toFixed(2)));
  }
  let order = {column: columns[0], down: true};
  let shownRows = 10;
  const text = (column, site) => column.text(site).toLowerCase();

  function sortedSites() {
    const wanted = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = sites.filter((site) => {
      const words = `${site.full.join(" ")} ${site.place} ${site.kind}`.toLowerCase();
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
      shownRows += 490;
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
        cells = [
          make("td", {}, calls ? known(calls) : "never"),
          make("td", {}, calls ? cost(work) : ""),
          make("td", {}, calls && hasSpan ? cost(onSpan) : ""),
          calls && hasSpan ? barCell(percent(localSpan, data.span), isSerial(onWork, span)) : make("td"),
          make("td", {}, calls ? parallelism(onWork, span) : ""),
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
  // Says which sources the page does not have, and what to do about it.
  function showMissing(missing, id) {
    const named = (reason) => missing.filter(([, why]) => why === reason).map(([file]) => file).join(", ");
    const lost = named("not found"), large = named("too large"), unreadable = named("not readable");
    element(id).textContent = [
      lost && `Sources not found: ${lost}. Name their folders with -I.`,
      large && `Sources too large for this page: ${large}.`,
      unreadable && `Sources that cannot be read: ${unreadable}.`,
    ].filter(Boolean).join(" ");
    element(id).hidden = missing.length === 0;
  }
  function showSource() {
    showMissing(data.missing, "missing");
    element("source").hidden = element("source-link").hidden = data.sources.length + data.missing.length === 0;
    element("file").hidden = element("code").hidden = data.sources.length === 0;
    if (data.sources.length === 0) return;
    data.sources.forEach((source, index) => element("file").append(make("option", {value: index}, source.file)));
    element("file").addEventListener("change", () => drawSource(Number(element("file").value)));
    // Show the file with the largest part of the span first.
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
      if (data.runs > 0) drawTable();
    });
  }

  // Hides sections that need work and span, for a profile that has only samples of a parallel run.
  function hideUnknown() {
    for (const hidden of document.querySelectorAll(".measured")) hidden.hidden = true;
    element("command").textContent = data.command;
    document.title = `${data.command} – cilkprof`;
  }

  if (data.runs > 0) {
    showHeader();
    showFindings();
    icicle({data, sites, element, make, named, placeLink, cost, ratio, parallelism, grouped, percent});
    showTable();
  } else {
    hideUnknown();
  }
  showWhatifs();
  showSource();
  showWaste({data, element, make, named, grouped, percent, baseName, showMissing});
  listen();
})();
