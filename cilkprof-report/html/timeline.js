// What each thread of a parallel run did over time: a row for each thread, which zooms.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// Draws the threads of WASTE, the data on the parallel run.  TIME formats nanoseconds.
function showThreads({waste, element, make, grouped, time}) {
  const {threads, names, leftOut, dropped} = waste.slices;
  const states = ["working", "idle", "waiting at a join or barrier", "waiting for a lock"];
  const canvas = element("threads"), rowHeight = 20, end = waste.elapsed;
  let from = 0, to = end, dragged;

  // Returns the slice of THREAD at time NS, or undefined.
  function sliceAt(thread, ns) {
    let low = 0, high = threads[thread].length / 5;
    while (low < high) {
      const middle = (low + high) >> 1, [begin, length] = threads[thread].slice(5 * middle, 5 * middle + 2);
      if (ns < begin) high = middle;
      else if (ns >= begin + length) low = middle + 1;
      else return threads[thread].slice(5 * middle, 5 * middle + 5);
    }
    return undefined;
  }
  // Returns the colours of the states in which a thread does not work, as the theme has them.
  function stateColors() {
    const probe = make("i");
    canvas.after(probe);
    const colors = ["--accent", "--line", "--notice", "--bad"].map((variable) => {
      probe.style.color = `var(${variable})`;
      return window.getComputedStyle(probe).color;
    });
    probe.remove();
    return colors;
  }
  function draw() {
    const width = canvas.clientWidth, scale = width / (to - from), dense = window.devicePixelRatio || 1;
    canvas.width = width * dense;
    canvas.height = rowHeight * threads.length * dense;
    canvas.style.height = `${rowHeight * threads.length}px`;
    const context = canvas.getContext("2d"), colors = stateColors();
    context.scale(dense, dense);
    context.font = "11px sans-serif";
    threads.forEach((list, row) => {
      for (let i = 0; i < list.length; i += 5) {
        const [begin, length, state, name] = list.slice(i, i + 4);
        if (begin + length < from || begin > to) continue;
        const left = (Math.max(begin, from) - from) * scale, right = (Math.min(begin + length, to) - from) * scale;
        context.fillStyle = state === 0 && name >= 0 ? `hsl(${(205 + 47 * name) % 360} 55% 45%)` : colors[state];
        context.fillRect(left, row * rowHeight + (state === 0 ? 1 : 6), Math.max(right - left, 0.5), rowHeight - (state === 0 ? 2 : 12));
        if (state !== 0 || name < 0 || right - left < 40) continue;
        context.save();
        context.beginPath();
        context.rect(left, row * rowHeight, right - left - 2, rowHeight);
        context.clip();
        context.fillStyle = "#fff";
        context.fillText(names[name], left + 3, row * rowHeight + 14);
        context.restore();
      }
    });
    element("threads-from").textContent = time(from);
    element("threads-to").textContent = time(to);
  }
  // Shows the part of the run from FROM to TO, at least a few nanoseconds and at most all.
  function show(begin, finish) {
    const length = Math.min(Math.max(finish - begin, 20), end);
    from = Math.min(Math.max(begin, 0), end - length);
    to = from + length;
    draw();
  }
  const zoom = (at, factor) => show(at - (at - from) * factor, at + (to - at) * factor);
  const timeAt = (event) => from + ((to - from) * event.offsetX) / canvas.clientWidth;

  canvas.setAttribute("aria-label", `what ${threads.length} threads did over time; + and - zoom, arrows move, 0 shows all`);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(timeAt(event), event.deltaY > 0 ? 1.25 : 0.8);
  }, {passive: false});
  canvas.addEventListener("mousedown", (event) => (dragged = timeAt(event)));
  window.addEventListener("mouseup", () => (dragged = undefined));
  canvas.addEventListener("dblclick", () => show(0, end));
  canvas.addEventListener("mousemove", (event) => {
    if (dragged !== undefined) show(from + dragged - timeAt(event), to + dragged - timeAt(event));
    const row = Math.min(Math.floor(event.offsetY / rowHeight), threads.length - 1), slice = sliceAt(row, timeAt(event));
    if (!slice) return;
    const [begin, length, state, name, creator] = slice;
    element("threads-at").textContent = `thread ${row + 1}, from ${time(begin)} for ${time(length)}: ${states[state]}${
      name >= 0 ? ` at ${names[name]}` : ""}${creator >= 0 && creator !== row ? `, task of thread ${creator + 1}` : ""}`;
  });
  canvas.addEventListener("keydown", (event) => {
    const part = (to - from) / 4, middle = (from + to) / 2;
    const act = {"+": () => zoom(middle, 0.5), "=": () => zoom(middle, 0.5), "-": () => zoom(middle, 2), 0: () => show(0, end),
      ArrowLeft: () => show(from - part, to - part), ArrowRight: () => show(from + part, to + part)}[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  window.addEventListener("resize", draw);
  element("threads-note").textContent = [dropped > 0 ? `${grouped(dropped)} earlier changes were not kept` : "",
    leftOut > 0 ? `the ${grouped(leftOut)} shortest parts are left out` : ""].filter(Boolean).join("; ");
  draw();
}
