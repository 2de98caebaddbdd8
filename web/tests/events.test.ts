import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileTimeline } from '../src/source/events';
import { answerFromFile } from '../src/source/file';
import type { EventAnswer } from '../src/timeline/arrows';

const TIMELINE: FileTimeline = {
  begin_ps: 0, end_ps: 100, tracks: [], names: ['launch', 'kernel'], left_out: 0,
  layers: [
    { track: 0, depth: 1, begin: [0, 50], duration: [5, 9], name: [0, -1], op: [-1, -1], id: [3, -1],
      merged: [1, 4], launch: [-1, -1] },
    { track: 1, depth: 0, begin: [10, 20], duration: [7, 8], name: [1, 1], op: [2, 2], id: [5, 6],
      merged: [1, 1], launch: [3, 3] },
  ],
  keys: [{ index: 2, op: 'dot.1', ops: [11, 12] }],
};
const DATA = { schema: 'mlir-prof.page/1', answers: { 'profiles/a/timeline': TIMELINE } };
const ask = (id: number) => answerFromFile(DATA, `profiles/a/timeline/events/${id}`) as EventAnswer | undefined;

test('an event of a file has its op and what launched it', () => {
  const kernel = ask(5)!;
  assert.deepEqual([kernel.name, kernel.track, kernel.begin_ps, kernel.duration_ps], ['kernel', 1, 10, 7]);
  assert.deepEqual([kernel.key, kernel.ops], [{ index: 2, op: 'dot.1' }, [11, 12]]);
  assert.deepEqual(kernel.flows?.map((flow) => [flow.direction, flow.id]), [['in', 3]]);
});

test('a launch of a file leads to all that it launched', () => {
  assert.deepEqual(ask(3)!.flows?.map((flow) => [flow.direction, flow.id]), [['out', 5], ['out', 6]]);
  assert.equal(ask(3)!.key, null);
});

test('a search finds events by a part of their names', () => {
  const search = (text: string) => answerFromFile(DATA, `profiles/a/timeline/search?q=${text}&limit=1`) as
    { matched: number; events: { id: number }[] };
  assert.deepEqual([search('KERN').matched, search('KERN').events.map((one) => one.id)], [2, [5]]);
  assert.equal(search('nothing').matched, 0);
});

test('events that a bar joins are not known', () => {
  assert.equal(ask(4), undefined);
});
