import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerFromFile } from '../src/source/file';
import { placesOf } from '../src/source/links';
import type { Links } from '../src/source/answers';

const op = (number: number, line: number) => ({ op: number, line, end_line: line, time_ps: 0, name: '' });
const DATA = {
  schema: 'mlir-prof.page/1',
  answers: {
    'profiles/a/links': {
      pairs: [
        { level: 'loops', to: 'input', ops: [5, 6, 7], origins: [1, 1, 2] },
        { level: 'asm', to: 'loops', ops: [0, 1, 2], origins: [5, 6, 7] },
      ],
    },
    'profiles/a/modules/input': { ops: [op(1, 3), op(2, 4)] },
    'profiles/a/modules/asm': { ops: [op(0, 1), op(1, 2), op(2, 3)] },
    'profiles/a/analyzers/op': {
      columns: [{ name: 'n', title: 'n', kind: 'count' }],
      rows: [[1], [3], [2]], matched: 3, total: 3, parents: null,
    },
  },
};
const links = (path: string) => answerFromFile(DATA, `profiles/a/modules/${path}`) as Links;

test('links follow all steps between two levels', () => {
  const down = links('input/ops/1/links?to=asm');
  assert.deepEqual(down.became.map((link) => link.line), [1, 2]);
  assert.deepEqual(down.from, []);
  const up = links('asm/ops/2/links?to=input');
  assert.deepEqual(up.from.map((link) => [link.op, link.line]), [[2, 4]]);
});

test('a file answers for any page of a table, and not for what it lacks', () => {
  const path = 'profiles/a/analyzers/op?sort=n&limit=2';
  assert.deepEqual((answerFromFile(DATA, path) as { rows: number[][] }).rows, [[3], [2]]);
  assert.equal(answerFromFile(DATA, 'profiles/a/analyzers/loop'), undefined);
});

test('an op without a line has no place', () => {
  const link = (line: number | null) => ({ level: 'loops', op: 1, line, share: null });
  assert.deepEqual(placesOf({ from: [link(7), link(null)], became: [link(3), link(7)] }), [2, 6]);
});
