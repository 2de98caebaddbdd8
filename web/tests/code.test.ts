import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from '../src/code/highlight';
import { find, hottestOf, modelOf, nextOf, opAt, timeInside } from '../src/code/model';

const MODEL = modelOf({
  level: 'loops', lines_total: 4, lines: ['scf.for {', '  a', '  b', '}'],
  heat: [{ line: 2, time_ps: 30, share: 300000 }, { line: 3, time_ps: '70', share: 700000 }],
  ops: [{ op: 4, line: 1, end_line: 4, time_ps: 0, name: 'scf.for' },
    { op: 5, line: 2, end_line: 2, time_ps: 30, name: 'a' }],
});

test('a line has its op, or the one around it', () => {
  assert.equal(opAt(MODEL, 1)?.op, 5);
  assert.equal(opAt(MODEL, 2)?.op, 4);
  assert.equal(timeInside(MODEL, MODEL.ops[0]), 100);
  assert.equal(MODEL.largest, 0.7);
  assert.equal(hottestOf(MODEL, [1, 2]), 2);
  assert.equal(hottestOf(MODEL, []), null);
});

test('a search goes around', () => {
  assert.deepEqual(find(MODEL, 'A'), [1]);
  assert.equal(nextOf([1, 5], 1, 1), 5);
  assert.equal(nextOf([1, 5], 5, 1), 1);
  assert.equal(nextOf([1, 5], 1, -1), 5);
  assert.equal(nextOf([], 1, 1), null);
});

test('the parts of a line are the line', () => {
  const line = '  %58:16 = scf.for %i = %c0 to %c2 iter_args(%a = %b) -> (vector<16xf32>) { // "x"';
  const parts = partsOf(line);
  assert.equal(parts.map((part) => part.text).join(''), line);
  assert.deepEqual(parts.filter((part) => part.kind === 'op').map((part) => part.text), ['scf.for']);
  assert.equal(parts[parts.length - 1].kind, 'comment');
  assert.deepEqual(partsOf('<script>alert("a")</script>')[1], { kind: 'string', text: '"a"' });
});
