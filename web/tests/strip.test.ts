import assert from 'node:assert/strict';
import { test } from 'node:test';
import { around, covers, type Part } from '../src/timeline/strip';

/** 1000 pixels of 2000 ps, from `begin` on. */
const part = (begin: number, top: number, end = begin + 2000): Part =>
  ({ range: { begin, end }, top, height: 400, scale: 1000 / (end - begin) });

test('a strip serves all that is shown while the timeline moves to its ends', () => {
  const strip = around(part(10000, 100), 0.5, 1000);
  assert.deepEqual(strip.range, { begin: 9000, end: 13000 });
  for (const [begin, top, served] of [[10000, 100, true], [9000, 0, true], [11000, 300, true],
    [8999, 100, false], [11002, 100, false], [10000, 301, false]] as const)
    assert.equal(covers(strip, part(begin, top)), served, `${begin}, ${top}`);
});

test('ends that are rounded to picoseconds keep a strip, another zoom does not', () => {
  const strip = around(part(10000, 0), 0.5, 400);
  assert.ok(covers(strip, part(10100, 0, 12100.9)));
  assert.ok(!covers(strip, part(10100, 0, 12102)));
});

test('a strip stays within the tracks, and is what is shown while a zoom goes on', () => {
  assert.deepEqual(around(part(0, -26), 0.5, 450), { ...part(0, -26), range: { begin: -1000, end: 3000 }, height: 476 });
  assert.deepEqual(around(part(0, -26), 0.25, 450), part(0, -26));
});
