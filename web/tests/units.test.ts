import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, cellText, counted, largestOf, parseTime, percent, setCounted, shortened, time, timeTicks, unitOf } from '../src/format/units';
import type { Column } from '../src/source/answers';

const column = (kind: Column['kind'], name = 'x', unit?: string): Column =>
  ({ name, title: name, kind, unit });

test('a time has the unit in which it has digits before the point', () => {
  assert.equal(time(46000000000), '46.000 ms');
  assert.equal(time(999), '999 ps');
  assert.equal(time('9007199254740993000'), '9\u2009007\u2009199.255 s');
  assert.equal(time(-1500), '\u22121.500 ns');
  assert.equal(time(null), '–');
});

test('ticks of an axis have one unit, and the digits that tell them apart', () => {
  assert.deepEqual(timeTicks([8e8, 1e9, 1.2e9]), ['0.8 ms', '1.0 ms', '1.2 ms']);
  assert.deepEqual(timeTicks([0, 5e9, 1e10]), ['0', '5 ms', '10 ms']);
});

test('amounts of a profile of counts have its unit', () => {
  setCounted('instructions');
  assert.equal(time(3894), '3\u2009894 instructions');
  assert.deepEqual(timeTicks([0, 500]), ['0 instructions', '500 instructions']);
  setCounted(null);
  assert.equal(time(3894), '3.894 ns');
});

test('one thing is not several', () => {
  assert.equal(counted(1, 'row'), '1 row');
  assert.equal(counted('1000', 'row'), '1\u2009000 rows');
});

test('a time is read with its unit, and without one as picoseconds', () => {
  assert.equal(parseTime('1.5ms'), 1.5e9);
  assert.equal(parseTime('2 us'), 2e6);
  assert.equal(parseTime('7'), 7);
  assert.ok(Number.isNaN(parseTime('fast')));
});

test('all cells of a column have the unit of the largest', () => {
  const times = column('time', 'time_ps', 'ps');
  const [largest] = largestOf([times], [[1000], [46000000000], [null]]);
  const unit = unitOf(times, largest);
  assert.equal(unit.name, 'ms');
  assert.equal(cellText(1000000, times, unit), '0.001');
  assert.equal(cellText(null, times, unit), '–');
});

test('shares and ratios are millionths', () => {
  const share = column('share');
  assert.equal(cellText(29197, share, unitOf(share, 29197)), '2.9');
  const ratio = column('ratio');
  assert.equal(cellText(18285714, ratio, unitOf(ratio, 18285714)), '18.29');
});

test('bytes, percents and lists', () => {
  assert.equal(bytes(232848), '227.4 KiB');
  assert.equal(percent(0.9927), '99.3 %');
  assert.equal(cellText([32, 2], column('list'), unitOf(column('list'), 0)), '32×2');
  const size = column('count', 'bytes');
  assert.equal(unitOf(size, 4096).name, 'KiB');
});

test('a long path keeps both ends', () => {
  assert.equal(shortened('a/b'), 'a/b');
  const short = shortened(`Default/network/${'x'.repeat(80)}/MatMul-op1`);
  assert.equal(short.length, 64);
  assert.ok(short.startsWith('Default/network/') && short.endsWith('/MatMul-op1'));
});
