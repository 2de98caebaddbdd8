/** Whole tables of analyzers, by the names of their columns. */
import { useMemo } from 'preact/hooks';
import type { Cell, Table } from '../source/answers';
import { below, useAnswer, type Answered } from './answer';

const MOST_ROWS = 1000;

/** The first rows of an analyzer, which are all of most. Null asks nothing. */
export const useTable = (profile: string, name: string | null, options = ''): Answered<Table> =>
  useAnswer<Table>(name === null ? null : below(profile,
    `analyzers/${encodeURIComponent(name)}?limit=${MOST_ROWS}${options && `&${options}`}`));

/** The cells of a column; null for each row if the table lacks it. */
export const cellsOf = (table: Table, name: string): Cell[] => {
  const place = table.columns.findIndex((column) => column.name === name);
  return table.rows.map((row) => (place < 0 ? null : row[place]));
};

export const numbersOf = (table: Table, name: string): (number | null)[] =>
  cellsOf(table, name).map((cell) => (cell === null ? null : Number(cell)));

/** The rows as objects, by the names of columns. */
export const useRecords = (table: Table | null): Record<string, Cell>[] =>
  useMemo(() => table?.rows.map((row) => Object.fromEntries(
    table.columns.map((column, place) => [column.name, row[place]]))) ?? [], [table]);
