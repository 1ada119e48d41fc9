// What must be seen of a program of templates, in a window of any width; said as in steps.js.
// SPDX-License-Identifier: GPL-3.0-or-later
(() => {
  "use strict";
  const results = [];
  const check = (name, holds) => results.push(`${holds ? "ok" : "not ok"} ${results.length + 1} - ${name}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const rows = all("#rows tr");
  const fits = () => document.documentElement.scrollWidth <= innerWidth + 1;

  check("there are rows", rows.length > 5);
  check("none is more than a few lines high", rows.every((row) => row.getBoundingClientRect().height < 100));
  check("most have one line of names", rows.filter((row) => row.lastChild.getBoundingClientRect().height < 35).length > rows.length / 3);
  const name = all("#rows details").find((details) => details.textContent.includes("Tree::"));
  const [brief, full] = name.children;
  check("a name is brief", brief.textContent.length < 80 && !brief.textContent.includes("<std::unique_ptr"));
  check("it says all of it when it is pointed at", brief.title === full.textContent && full.textContent.includes("Tree<std::unique_ptr<int"));
  check("it is closed", full.getClientRects().length === 0 || full.checkVisibility?.() === false);
  brief.click();
  check("a click opens it", name.open && full.getBoundingClientRect().height > 10);
  check("the page stays as wide", fits());
  brief.click();
  check("another closes it", !name.open);
  check("boxes have brief names", all(".box").some((box) => box.textContent.startsWith("Tree::") && box.title.includes("<std::")));
  const files = all("#file option").map((option) => option.textContent);
  check("the sources are the user's", files.length > 0 && files.every((file) => !/^\/usr\//.test(file)));

  const box = (element) => element.getBoundingClientRect();
  check("the page is as wide as the window", fits());
  check("no section is wider", all("section").filter((section) => !section.hidden).every((section) => box(section).right <= innerWidth));
  check("what is wide scrolls by itself", all("table").filter((table) => box(table).width > innerWidth)
    .every((table) => getComputedStyle(table.closest(".scroll")).overflowX === "auto"));
  check("the names of a call site can be read without scrolling", rows.every((row) => box(row.lastChild).right <= innerWidth));
  const sizes = all("p, li, td, th, dd, dt, summary, a, button").filter((element) => element.textContent.trim() !== "" && box(element).width > 0)
    .map((element) => parseFloat(getComputedStyle(element).fontSize));
  check("the letters are large enough", sizes.every((size) => size >= 12));
  const plot = document.querySelector("svg.plot"), scale = box(plot).width / 640;
  check("those of the plot too", [...plot.querySelectorAll("text")].every((text) => parseFloat(getComputedStyle(text).fontSize) * scale >= 10));
  check("no error was reported", window.pageErrors.length === 0);

  const pre = document.createElement("pre");
  pre.id = "results";
  pre.textContent = [...results, `1..${results.length}`, ...window.pageErrors.map((error) => `# ${error}`)].join("\n");
  document.body.append(pre);
})();
