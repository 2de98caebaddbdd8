import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joined } from '../src/code/model';

test('parts of a level become one text, and an op in two of them counts once', () => {
  const op = { op: 3, line: 1, end_line: 2, time_ps: 5, name: 'scf.for' };
  const first = { level: 'loops', lines_total: 2, lines: ['a'], heat: [{ line: 1, time_ps: 5, share: 1 }], ops: [op] };
  const second = { ...first, lines: ['b'], heat: [{ line: 2, time_ps: 7, share: 2 }] };
  assert.deepEqual(joined([first, second]), { ...first, lines: ['a', 'b'],
    heat: [...first.heat, ...second.heat], ops: [op] });
});
