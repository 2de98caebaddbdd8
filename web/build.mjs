// Builds the page into one file, lib/Serve/Page/page.html; with --check, compares instead.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LARGEST_CODE = 80_000;
const folder = dirname(fileURLToPath(import.meta.url));
const output = join(folder, '../lib/Serve/Page/page.html');

const bundle = async (entry, options) => {
  const result = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    legalComments: 'none',
    charset: 'utf8',
    ...options,
  });
  return result.outputFiles[0].text.trim();
};

// The digest of everything that the page is made from: a test without Node compares it.
const digestOfSources = async () => {
  const names = (await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .concat('build.mjs', 'package-lock.json', 'tsconfig.json')
    .sort();
  const digest = createHash('sha256');
  for (const name of names) digest.update(`${name}\0`).update(await readFile(join(folder, name))).update('\0');
  return digest.digest('hex');
};

// The browser compares these with the text between the tags.
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const code = (await bundle('src/main.tsx', { format: 'iife' })).replaceAll('</script', '<\\/script');
const style = await bundle('src/style/page.css', {});
const size = gzipSync(code, { level: 9 }).length + gzipSync(style, { level: 9 }).length;
if (size > LARGEST_CODE)
  throw new Error(`the page has ${size} bytes of code and style (gzip), over ${LARGEST_CODE}`);

const template = await readFile(join(folder, 'src/page.html'), 'utf8');
const parts = {
  'code-hash': hash(code),
  'style-hash': hash(style),
  sources: await digestOfSources(),
  code,
  style,
};
const page = template.replaceAll(/\{\{([a-z-]+)\}\}/g, (_, name) => parts[name]);

if (process.argv.includes('--check')) {
  const built = await readFile(output, 'utf8').catch(() => '');
  if (built !== page) {
    console.error(`${output} is not what the sources give: run 'npm run build' in web/`);
    process.exit(1);
  }
} else {
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, page);
  console.log(`${output}: ${page.length} bytes, ${size} bytes of gzip`);
}
