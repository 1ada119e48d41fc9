// What a user does with the part of the page on a parallel run; what is wrong is said in the element "results".
// SPDX-License-Identifier: GPL-3.0-or-later
(() => {
  "use strict";
  const results = [];
  const check = (name, holds) => results.push(`${holds ? "ok" : "not ok"} ${results.length + 1} - ${name}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const rows = () => all("#waste-rows tr");
  const names = () => rows().map((row) => row.querySelector(".name span").textContent);
  const column = (place) => rows().map((row) => row.children[place].textContent);
  const heading = (text) => all("#waste-headings button").find((button) => button.textContent === text);
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const data = JSON.parse(one("#data").textContent);
  const alone = data.runs === 0;

  check("it is shown", one("#waste").offsetHeight > 0 && one("#waste-link").offsetHeight > 0);
  check("what is not known is not", all(".measured").every((part) => (part.offsetHeight === 0) === alone));
  check("the causes are there with work and span", one("#causes").hidden === alone);
  check("the effort is divided", all("#waste-totals dt").map((name) => name.textContent).join() ===
    "Effort,Work,Idleness,Overhead,Waiting,Neither,Not unwound" && one("#waste-totals dd").textContent === "1.597 s");
  check("a strip for each thread", all(".strip").length === 2 && all(".strip").every((strip) => strip.style.background.includes("gradient")));
  check("it says how busy it was", all(".strip")[1].getAttribute("aria-label") === "thread 2 worked 60% of the time");

  check("the way to most of it is open", names().slice(0, 2).join() === "main,serial" && names().includes("leaf") === false);
  check("rows say how deep they are", rows()[0].getAttribute("aria-level") === "1" && rows()[1].getAttribute("aria-level") === "2");
  rows()[0].querySelector(".toggle").click();
  check("it closes", names().join() === "main,<not unwound>,<task of unknown origin>" && rows()[0].getAttribute("aria-expanded") === "false");
  rows()[0].focus();
  press("ArrowRight");
  check("and opens by keys", names().length === 6 && document.activeElement === rows()[0]);
  press("ArrowDown");
  check("keys move", document.activeElement === rows()[1]);
  heading("overhead").click();
  const shares = (from, to, place) => column(place).slice(from, to).map(parseFloat);
  check("sorted by a column", shares(1, 4, 4).every((value, i, list) => i === 0 || list[i - 1] >= value) &&
    names()[1] === "work" && heading("overhead").parentNode.getAttribute("aria-sort") === "descending");
  heading("function").click();
  check("and by name", names()[0] === "<not unwound>" && names().slice(-4).join() === "main,cilk_for waste.c:34,serial,work");

  one("#bottom-up").click();
  check("the functions, by their idleness", names()[0] === "serial" && one("#bottom-up").getAttribute("aria-pressed") === "true");
  rows()[0].querySelector(".toggle").click();
  check("with their callers", names().slice(0, 2).join() === "serial,main" && column(2)[0] === column(2)[1]);
  one("#top-down").click();

  check("the source is beside it", all("#waste-lines tr").length > 40 && one("#waste-code").offsetHeight > 0);
  all("#waste-rows a").find((link) => link.textContent === "waste.c:41").click();
  check("a place leads to its line", one("#waste-lines .marked").id === "waste-line-41");
  const line = one("#waste-line-31").children;
  check("lines have their times", line[0].textContent === "25.05%" && line[1].textContent === "25.05%" && line[2].textContent === "");

  const width = document.documentElement.clientWidth;
  check("nothing is wider than the window", document.documentElement.scrollWidth <= width);
  check("no errors", window.pageErrors.length === 0);
  if (window.pageErrors.length > 0) results.push(...window.pageErrors.map((error) => `# ${error}`));
  results.push(`1..${results.filter((text) => !text.startsWith("#")).length}`);
  document.body.append(Object.assign(document.createElement("pre"), {id: "results", textContent: `${results.join("\n")}\n`}));
})();
