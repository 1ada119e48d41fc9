// Opens traces as Chrome's viewer does, by its own importer, and prints what that made of them, one JSON object a line:
// its warnings, and the numbers of threads, slices, slices inside of others, regions and arrows.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// node viewer.js FOLDER TRACE...      FOLDER is the folder "tracing" of the viewer's sources.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const folder = process.argv[2];
const libraries = path.join(folder, 'third_party');
const roots = [folder, libraries];
for (const name of fs.readdirSync(libraries))
  roots.push(path.join(libraries, name), path.join(libraries, name, 'dist'));
const loaded = new Set();

// Returns the path of the file that the sources call HREF.
function findFile(href) {
  const found = roots.map(root => path.join(root, href)).find(file => fs.existsSync(file));
  if (!found) throw new Error(`the viewer's sources lack ${href}`);
  return found;
}

// Runs the scripts of the page FILE, after those of the pages that it imports, once.
function loadPage(file) {
  if (loaded.has(file)) return;
  loaded.add(file);
  const text = fs.readFileSync(file, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  for (const [, page, attributes, code] of text.matchAll(
      /<link\s+rel="import"\s+href="([^"]+)"[^>]*>|<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    const library = /src="([^"]+)"/.exec(attributes ?? '');
    if (page) loadPage(page.startsWith('/') ? findFile(page) : path.join(path.dirname(file), page));
    else if (library) require(findFile(library[1]));
    else vm.runInThisContext(code, file);
  }
}

// Returns what the importer makes of the TRACE.
function importTrace(trace) {
  const model = new tr.Model();
  const options = new tr.importer.ImportOptions();
  options.showImportWarnings = false;
  new tr.importer.Import(model, options).importTraces([fs.readFileSync(trace, 'utf8')]);
  const threads = Object.values(model.processes).flatMap(made => Object.values(made.threads));
  const slices = threads.flatMap(thread => thread.sliceGroup.slices);
  return {
    warnings: model.importWarnings.map(warning => warning.message),
    threads: threads.filter(thread => thread.name).length,
    slices: slices.length,
    inside: slices.filter(slice => slice.parentSlice).length,
    regions: threads.reduce((sum, thread) => sum + thread.asyncSliceGroup.length, 0),
    arrows: model.flowEvents.filter(flow => flow.startSlice && flow.endSlice).length,
  };
}

globalThis.global = globalThis;
globalThis.require = require;
globalThis.HTMLImportsLoader = {hrefToAbsolutePath: findFile};
for (const page of ['/tracing/base/base.html', '/tracing/importer/import.html',
  '/tracing/extras/importer/trace_event_importer.html', '/tracing/model/model.html'])
  loadPage(findFile(page));
for (const trace of process.argv.slice(3))
  console.log(JSON.stringify(importTrace(trace)));
