// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints the sums of each value of the samples in a pprof file.
// usage: node pprof-format.js FOLDER FILE

const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const [folder, file] = process.argv.slice(2);
const modules = path.join(path.resolve(folder), 'node_modules');
const {Profile} = require(path.join(modules, 'pprof-format'));
const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
const sums = profile.sampleType.map(() => 0n);
for (const sample of profile.sample)
  sample.value.forEach((value, i) => sums[i] += BigInt(value));
console.log(`[${sums.join(',')}]`);
