// What a user does with the rows of threads; what is wrong is said in the element "results".
// SPDX-License-Identifier: GPL-3.0-or-later
(() => {
  "use strict";
  const results = [];
  const check = (name, holds) => results.push(`${holds ? "ok" : "not ok"} ${results.length + 1} - ${name}`);
  const one = (selector) => document.querySelector(selector);
  const canvas = one("#threads"), text = (id) => one(id).textContent;
  const mouse = (type, x, y, more = {}) =>
    canvas.dispatchEvent(Object.assign(new (type === "wheel" ? WheelEvent : MouseEvent)(type, {bubbles: true, cancelable: true,
      clientX: canvas.getBoundingClientRect().left + x * canvas.clientWidth, clientY: canvas.getBoundingClientRect().top + y, ...more})));
  const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  // The colour of the pixel at part X of the run, of thread ROW.
  const pixel = (x, row) => [...canvas.getContext("2d").getImageData(Math.floor(x * (canvas.width - 1)),
    Math.floor(((row + 0.15) * canvas.height) / 2), 1, 1).data].join();

  check("it is shown", one("#thread-rows").offsetHeight > 0 && canvas.clientHeight === 40);
  check("all of the run", text("#threads-from") === "0" && text("#threads-to") === "100.0 ms");
  check("what is missing is said", text("#threads-note") === "3 earlier changes were not kept");
  check("work is tall, and not the same everywhere", pixel(0.1, 0) !== pixel(0.5, 0) && pixel(0.1, 0) !== "0,0,0,0");
  check("waiting and idleness are low", pixel(0.9, 0) === "0,0,0,0" && pixel(0.2, 1) === "0,0,0,0");
  mouse("mousemove", 0.1, 5);
  check("what a thread did is said", text("#threads-at") === "thread 1, from 0 for 31.00 ms: working at serial");
  mouse("mousemove", 0.45, 25);
  check("and whose task it is", text("#threads-at") ===
    "thread 2, from 40.00 ms for 10.00 ms: working at work timeline.c:27, task of thread 1");
  mouse("mousemove", 0.55, 25);
  check("a lock", text("#threads-at").endsWith("waiting for a lock at work timeline.c:27"));
  mouse("wheel", 0.5, 5, {deltaY: -1});
  check("the wheel zooms where it is", text("#threads-from") === "10.00 ms" && text("#threads-to") === "90.00 ms");
  press("+");
  check("so does a key", text("#threads-from") === "30.00 ms" && text("#threads-to") === "70.00 ms");
  press("ArrowRight");
  check("arrows move", text("#threads-from") === "40.00 ms" && text("#threads-to") === "80.00 ms");
  for (let i = 0; i < 9; i++) press("ArrowRight");
  check("and stop at the end", text("#threads-from") === "60.00 ms" && text("#threads-to") === "100.0 ms");
  mouse("mousedown", 0.5, 5);
  mouse("mousemove", 0.75, 5);
  window.dispatchEvent(new MouseEvent("mouseup"));
  mouse("mousemove", 0.1, 5);
  check("so does dragging", text("#threads-from") === "50.00 ms" && text("#threads-to") === "90.00 ms");
  mouse("dblclick", 0.5, 5);
  check("a double click shows all", text("#threads-from") === "0" && text("#threads-to") === "100.0 ms");
  check("no errors", window.pageErrors.length === 0);
  if (window.pageErrors.length > 0) results.push(...window.pageErrors.map((error) => `# ${error}`));
  results.push(`1..${results.filter((line) => !line.startsWith("#")).length}`);
  document.body.append(Object.assign(document.createElement("pre"), {id: "results", textContent: `${results.join("\n")}\n`}));
})();
