// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs Perfetto's trace processor, which comes as WebAssembly for browsers.
// usage: node trace-processor.js FOLDER REQUESTS RESPONSES
// REQUESTS holds messages of its RPC, each after its size in four bytes.

const fs = require('fs');
const path = require('path');

const [folder, requests, responses] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, path.basename(name)));

// The bundle must take this for a worker of a browser.
process.type = 'renderer';
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.importScripts = () => {};
globalThis.location = {href: 'http://localhost/'};
globalThis.XMLHttpRequest = class {
  open(method, url) {
    this.url = url;
  }
  send() {
    const bytes = read(this.url);
    this.status = 200;
    this.response = bytes.buffer.slice(bytes.byteOffset,
                                       bytes.byteOffset + bytes.length);
  }
};
(0, eval)(read('engine_bundle.js').toString());

const received = [];
const port = {postMessage: (data) => received.push(Buffer.from(data))};
// By then it has started.
setTimeout(() => {
  globalThis.onmessage({data: port});
  const all = fs.readFileSync(requests);
  for (let at = 0; at < all.length;) {
    const size = all.readUInt32LE(at);
    at += 4;
    port.onmessage({data: new Uint8Array(all.subarray(at, at + size))});
    at += size;
  }
  fs.writeFileSync(responses, Buffer.concat(received));
  process.exit(0);
}, 2000);
