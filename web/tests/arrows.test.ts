import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowsOf } from '../src/timeline/arrows';
import { HEAD, placeTracks, ROW } from '../src/timeline/scene';

const TRACKS = [{ id: 1, process: 'p', name: 'host', depth: 2, count: 3 },
  { id: 2, process: 'p', name: 'device', depth: 1, count: 3 }];
const event = (track: number, depth: number, begin_ps: number, duration_ps: number) =>
  ({ id: begin_ps, name: 'x', track, depth, begin_ps, duration_ps });

test('an arrow leads from the end of a launch to the begin of what it launched', () => {
  const tracks = placeTracks(TRACKS, new Set());
  const kernel = event(2, 0, 500, 90);
  const launch = { ...event(1, 1, 100, 50), flows: [{ ...kernel, direction: 'out' as const }] };
  const [from, to] = [HEAD + ROW + ROW / 2 - 1, tracks[1].top + HEAD + ROW / 2 - 1];
  assert.deepEqual(arrowsOf(launch, tracks), [{ from: { at: 150, y: from }, to: { at: 500, y: to } }]);
  assert.deepEqual(arrowsOf({ ...kernel, flows: [{ ...launch, direction: 'in' as const }] }, tracks), arrowsOf(launch, tracks));
});

test('an arrow leaves an event that is still running when the other begins', () => {
  const tracks = placeTracks(TRACKS, new Set([1]));
  const [arrow] = arrowsOf({ ...event(1, 1, 100, 500), flows: [{ ...event(2, 0, 300, 10), direction: 'out' as const }] }, tracks);
  assert.deepEqual(arrow.from, { at: 300, y: HEAD + ROW / 2 - 1 });
});

test('a track that is not shown has no arrows', () => {
  const launch = { ...event(1, 0, 0, 1), flows: [{ ...event(3, 0, 2, 1), direction: 'out' as const }] };
  assert.deepEqual(arrowsOf(launch, placeTracks(TRACKS, new Set())), []);
});
