import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventAt, HEAD, lowerBound, moved, placeTracks, ROW, ticks, visible, zoomed } from '../src/timeline/scene';

const LAYER = { track: 1, depth: 1, begin: [0, 100, 300], duration: [50, 100, 10],
  name: [0, 0, 0], op: [-1, -1, -1], id: [7, 8, 9], merged: [1, 1, 1] };
const TRACKS = [{ id: 1, process: 'p', name: 't', depth: 2, count: 3 }];

test('an event that begins before a range and reaches into it is visible', () => {
  assert.equal(lowerBound([0, 100, 300], 100), 1);
  assert.deepEqual(visible(LAYER, { begin: 150, end: 300 }), [1, 2]);
  assert.deepEqual(visible(LAYER, { begin: 200, end: 301 }), [2, 3]);
});

test('a point finds its event by track, depth and time', () => {
  const tracks = placeTracks(TRACKS, new Set());
  const view = { begin_ps: 0, end_ps: 400, tracks: TRACKS, layers: [LAYER], names: ['x'], left_out: 0 };
  const y = HEAD + ROW + 3;
  assert.equal(eventAt(view, tracks, 120, y, 0)?.index, 1);
  assert.equal(eventAt(view, tracks, 70, y, 0), null);
  assert.equal(eventAt(view, tracks, 98, y, 5)?.index, 1);
  assert.equal(eventAt(view, tracks, 120, HEAD + 3, 0), null);
});

test('a zoom keeps the point under the pointer, and stays in the recording', () => {
  const whole = { begin: 0, end: 100000 };
  assert.deepEqual(zoomed({ begin: 0, end: 10000 }, 0.5, 2500, whole), { begin: 1250, end: 6250 });
  const all = zoomed({ begin: 0, end: 90000 }, 4, 50000, whole);
  assert.equal(all.end - all.begin, 102000);
  assert.equal(moved({ begin: 0, end: 10000 }, 1e9, whole).end, 101000);
});

test('a ruler has round distances', () => {
  assert.deepEqual(ticks({ begin: 130, end: 1130 }, 5), { step: 200, first: 200 });
});
