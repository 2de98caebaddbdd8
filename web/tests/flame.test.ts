import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf, rooted } from '../src/flame/layout';

const FLAME = rooted({
  total_ps: 100,
  nodes: [
    { name: 'small', parent: -1, self_ps: 20, total_ps: '20' },
    { name: 'large', parent: null, self_ps: 30, total_ps: 80 },
    { name: 'inner', parent: 1, self_ps: 50, total_ps: 50 },
  ],
});
const boxes = (root: number) => layoutOf(FLAME, root).boxes.sort((one, other) => one.node - other.node);

test('children stand in their parent, the largest first', () => {
  assert.deepEqual(boxes(-1), [
    { node: 0, begin: 0.8, size: 0.2, depth: 0 },
    { node: 1, begin: 0, size: 0.8, depth: 0 },
    { node: 2, begin: 0, size: 0.5, depth: 1 },
  ]);
});

test('a chosen box takes the width, below those around it', () => {
  assert.deepEqual(boxes(2), [
    { node: 1, begin: 0, size: 1, depth: 0 },
    { node: 2, begin: 0, size: 1, depth: 1 },
  ]);
  assert.equal(layoutOf(FLAME, 2).depth, 2);
});
