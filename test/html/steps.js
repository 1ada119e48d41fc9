// What a user does with the page, step by step; what is wrong is said in the element "results".
// SPDX-License-Identifier: GPL-3.0-or-later
(() => {
  "use strict";
  const results = [];
  const check = (name, holds) => results.push(`${holds ? "ok" : "not ok"} ${results.length + 1} - ${name}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const rows = () => all("#rows tr");
  const column = (place) => rows().map((row) => row.children[place].textContent);
  const heading = (text) => all("#headings button").find((button) => button.textContent === text);
  const shown = () => all(".box").filter((box) => !box.hidden);
  const errors = window.pageErrors;

  check("the title is the command", document.title.includes("./tree") && one("h1").textContent.includes("./tree"));
  check("there are totals", all("#totals dd").length === 6 && one("#totals dd").textContent.trim() !== "");
  check("there is a verdict", all("#findings li strong").length > 1);
  // The first screen has what the terminal's has, in that order: verdict, totals, speedups and call sites.
  const tops = ["#findings", "#totals", "#speedups", "#table"].map((name) => one(name).getBoundingClientRect().top);
  check("the first screen: verdict, totals, speedups and call sites", tops.every((top) => top >= 0 && top < innerHeight) &&
    tops[0] < tops[2] && tops[2] < tops[3] && one("#plot").getBoundingClientRect().top > tops[3]);
  check("the predicted speedups on 2 to 128 processors", all("#speedups thead th").length === 8 && all("#speedups tbody tr").length >= 2);
  check("ten call sites at most", rows().length > 0 && rows().length <= 10);
  check("the plot has its bounds", one("svg.plot .expected") !== null && one("svg.plot .lower") !== null);

  const whatifs = JSON.parse(one("#data").textContent).whatifs.length;
  check("what-ifs are shown where there are some", one("#whatif").hidden === (whatifs === 0) &&
    one("#whatif-link").hidden === (whatifs === 0) && all("#whatif-rows tr").length === (whatifs && whatifs + 1));
  check("and judged", all("#whatif-findings li").length === whatifs / 2);

  const sites = rows().length;
  check("all sites are in the table", sites >= 4 && one("#found").textContent === `${sites} sites`);
  const shares = column(0).map(Number);
  check("those that hold the span are first", shares.every((share, i) => i === 0 || shares[i - 1] >= share));
  heading("calls").click();
  const calls = () => column(5).map((text) => Number(text.replaceAll(",", "")));
  check("sorted by calls", calls().every((value, i) => i === 0 || calls()[i - 1] >= value));
  check("the heading says so", heading("calls").parentNode.getAttribute("aria-sort") === "descending");
  heading("calls").click();
  check("and the other way round", calls().every((value, i) => i === 0 || calls()[i - 1] <= value));
  heading("caller → callee").click();
  check("sorted by name", column(8).every((text, i) => i === 0 || column(8)[i - 1].toLowerCase() <= text.toLowerCase()));

  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true}));
  check("a slash leads to the search", document.activeElement.id === "search");
  const search = (text) => {
    one("#search").value = text;
    one("#search").dispatchEvent(new Event("input"));
  };
  search("WORK leaf");
  check("found by words", rows().length > 0 && rows().length < sites && column(8).every((text) => /work.*leaf|leaf.*work/.test(text)));
  check("it says how many", one("#found").textContent === `${rows().length} of ${sites} sites`);
  search("nothing is called so");
  check("nothing is found", rows().length === 0);
  search("");
  check("all again", rows().length === sites);

  const before = shown().length;
  const leaf = shown().find((box) => box.textContent.includes("work"));
  leaf.click();
  check("a click zooms in", leaf.style.width === "100%" && !one("#zoom-out").disabled);
  check("the figures are shown", /work .* parallelism .* call/.test(one("#detail").textContent));
  press("Escape");
  while (!one("#zoom-out").disabled) one("#zoom-out").click();
  check("and out again", shown().length === before && one("#zoom-out").disabled);
  shown()[0].focus();
  press("ArrowDown");
  check("an arrow leads to what is called", document.activeElement.classList.contains("box") && document.activeElement.style.top === "26px");
  press("ArrowUp");
  check("and back", document.activeElement === shown()[0]);
  check("one box is on the way of Tab", all(".box").filter((box) => box.tabIndex === 0).length === 1);
  one("#by-span").click();
  check("the critical path", one("#by-span").getAttribute("aria-pressed") === "true" && shown().length > 1);
  const widths = shown().map((box) => parseFloat(box.style.left) + parseFloat(box.style.width));
  check("no box is wider than all", widths.every((right) => right <= 100.001));

  check("the source is there", all("#lines tr").length > 10 && all("#lines tr.noted").length > 1);
  const files = all("#file option").map((option) => option.textContent);
  check("the one with the span in it is shown first", files.length === 2 && /tree\.c$/.test(files[one("#file").value]));
  all("#rows a")[0].click();
  check("a place leads to its line", all("#lines tr.marked").length === 1);
  const ground = () => getComputedStyle(document.body).backgroundColor;
  const light = ground();
  one("#theme").click();
  check("dark", ground() !== light && document.documentElement.dataset.theme === "dark");
  one("#theme").click();
  check("and light", ground() === light);
  check("no name is markup", one("img") === null && !document.body.hasAttribute("data-hit"));
  check("nothing is wider than the page", document.documentElement.scrollWidth <= innerWidth + 1);
  check("no error was reported", errors.length === 0);

  const pre = document.createElement("pre");
  pre.id = "results";
  pre.textContent = [...results, `1..${results.length}`, ...errors.map((error) => `# ${error}`)].join("\n");
  document.body.append(pre);
})();
