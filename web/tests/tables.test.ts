import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '../src/source/answers';
import { applyOptions, parseCondition } from '../src/source/tables';

const TABLE: Table = {
  name: 'op',
  columns: [
    { name: 'op', title: 'op', kind: 'text' },
    { name: 'count', title: 'count', kind: 'count' },
    { name: 'total_ps', title: 'total', kind: 'time', unit: 'ps' },
  ],
  rows: [['matmul', 3, 9000], ['add', 1, 12000], ['matmul', 2, '9007199254740993'], ['exp', 4, null]],
  matched: 4, total: 4, weight: null, parents: null, next: null, notes: [],
};

const rows = (query: string) => applyOptions(TABLE, new URLSearchParams(query)).rows;

test('conditions follow the type of the column', () => {
  assert.deepEqual(parseCondition('a!=b=c'), { column: 'a', operator: '!=', value: 'b=c' });
  assert.equal(parseCondition('no condition'), null);
  assert.equal(rows('filter=op~mat').length, 2);
  assert.equal(rows('filter=op!=matmul').length, 2);
  assert.deepEqual(rows('filter=total_ps>10ns').map((row) => row[0]), ['add', 'matmul']);
  assert.deepEqual(rows('filter=total_ps=').map((row) => row[0]), ['exp']);
  assert.deepEqual(rows('filter=count>1&filter=op=matmul').length, 2);
  assert.throws(() => rows('filter=none=1'), /lacks the column/);
});

test('a condition may name several values, negate, and leave out units and case', () => {
  assert.deepEqual(rows('filter=count=1|4').map((row) => row[0]), ['add', 'exp']);
  assert.deepEqual(rows('filter=count!=1|4').map((row) => row[1]), [3, 2]);
  assert.equal(rows('filter=op~~MAT|EX').length, 3);
  assert.equal(rows('filter=op!~mat').length, 2);
  assert.equal(rows('filter=op!~~MAT').length, 2);
  assert.equal(rows('filter=op=mat\\|mul|add').length, 1);
  assert.equal(rows('filter=total>10ns').length, 2);
  assert.equal(rows('sort=total')[1][1], 1);
});

test('numbers sort from the largest, texts from the first, missing ones last', () => {
  assert.deepEqual(rows('sort=total_ps').map((row) => row[1]), [2, 1, 3, 4]);
  assert.deepEqual(rows('sort=total_ps:asc').map((row) => row[1]), [3, 1, 2, 4]);
  assert.deepEqual(rows('sort=op').map((row) => row[0]), ['add', 'exp', 'matmul', 'matmul']);
  assert.deepEqual(rows('sort=-op').map((row) => row[0])[0], 'matmul');
});

test('a group has the sums of its rows', () => {
  const table = applyOptions(TABLE, new URLSearchParams('group=op&sort=-count'));
  assert.deepEqual(table.columns.map((column) => column.name), ['op', 'rows', 'count', 'total_ps']);
  assert.deepEqual(table.rows[0], ['matmul', 2, 5, 9000 + Number('9007199254740993')]);
  assert.deepEqual(table.rows[1], ['exp', 1, 4, null]);
});

test('a page is a part of the rows that fit', () => {
  const table = applyOptions(TABLE, new URLSearchParams('filter=op~m&offset=1&limit=1'));
  assert.equal(table.matched, 2);
  assert.deepEqual(table.rows.map((row) => row[1]), [2]);
});
