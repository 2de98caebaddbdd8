// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints what speedscope's own importer makes of files: a line of JSON a profile.
// usage: node speedscope.js FOLDER FILE...
// FOLDER has speedscope and jsdom in node_modules.

const fs = require('fs');
const path = require('path');

const [folder, ...files] = process.argv.slice(2);
const modules = path.join(path.resolve(folder), 'node_modules');
const {JSDOM} = require(path.join(modules, 'jsdom'));
const release = path.join(modules, 'speedscope', 'dist', 'release');
const bundle = fs.readdirSync(release).find((f) => /^speedscope-.*\.js$/.test(f));

// The importer is a module inside of the bundle: it is let out.
const code = fs.readFileSync(path.join(release, bundle), 'utf8').replace(
    /return\(await (\w+)\)\.importProfilesFromArrayBuffer\(\w+,\w+\)\}/,
    (all, module) => `${all}window.importer=${module};`);
const {window} = new JSDOM('<!doctype html><body></body>',
                           {runScripts: 'outside-only', url: 'http://localhost/'});
window.TextDecoder = TextDecoder;
window.TextEncoder = TextEncoder;
try {
  window.eval(code);
} catch (error) {
  // The page itself does not start without a screen.
  if (!window.importer) throw error;
}

(async () => {
  const importer = await window.importer;
  for (const file of files) {
    const bytes = fs.readFileSync(file);
    const buffer = new window.ArrayBuffer(bytes.length);
    new window.Uint8Array(buffer).set(bytes);
    const name = path.basename(file);
    const group = await importer.importProfilesFromArrayBuffer(name, buffer);
    for (const profile of group.profiles)
      console.log(JSON.stringify({file: name, name: profile.getName(),
                                  total: profile.getTotalWeight()}));
  }
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
