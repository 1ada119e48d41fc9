// The icicle graphs: boxes below the boxes of their callers.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// Draws the graphs.  The parameters are the data and functions of script.js.
function icicle({data, sites, element, make, named, placeLink, cost, ratio, parallelism, grouped, percent}) {
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
    const part = Math.min(1, Math.max(0, Math.log2(value || 1) / 6)); // a parallelism of 64 or more has the last colour
    return `color-mix(in oklab, var(--serial) ${100 - 100 * part}%, var(--parallel))`;
  }
  const called = (site, name) => (site ? `${site.kind === "spawn" ? "spawn " : ""}${name(site)}` : "…");
  const boxName = ({site}) => called(site, ({callee}) => callee);
  const boxTitle = ({site}) => called(site, ({full}) => full[1]);

  // Computes left and width of every box in both graphs, as fractions of the whole.
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
    const place = box.site ? [" at ", placeLink(box.site.file, box.site.line, box.site.place)] : [];
    element("detail").replaceChildren(named(boxName(box), boxTitle(box), "b"), ...(box.site?.kind === "loop" ? [] : place),
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
    box.button = make("button", {type: "button", class: "box", title: boxTitle(box)}, boxName(box));
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

  element("icicle").append(...boxes.map(makeBox));
  element("by-work").addEventListener("click", () => choose("work"));
  element("by-span").addEventListener("click", () => choose("span"));
  element("zoom-out").addEventListener("click", zoomOut);
  element("boxes-note").textContent = data.boxesMeasured
    ? "Measured calling contexts, with recursion folded. The width of a box is its work, or its part of the critical path."
    : "Assembled from the call sites: each function is expanded where it is first reached. To measure calling contexts: cilkprof run --contexts.";
  element("detail").textContent = "Hover over a box for its numbers, click it to zoom in; or use the arrow keys, Enter and Escape.";
  choose("work");
}
