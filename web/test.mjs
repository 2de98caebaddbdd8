// Runs the unit tests: bundles each file of tests/ and hands it to Node's test runner.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const names = (await readdir(join(folder, 'tests'))).filter((name) => name.endsWith('.test.ts'));
const output = await mkdtemp(join(tmpdir(), 'mlir-prof-page-'));
try {
  await build({
    entryPoints: names.map((name) => join(folder, 'tests', name)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: output,
    outExtension: { '.js': '.mjs' },
  });
  const files = names.map((name) => join(output, name.replace(/ts$/, 'mjs')));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status;
} finally {
  await rm(output, { recursive: true });
}
