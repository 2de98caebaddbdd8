/** Chooses the axis and the series of a table whose rows are points. */
import { bytes, count, grouped, time } from '../format/units';
import type { Column, Table } from '../source/answers';
import { numbersOf } from '../state/table';
import type { Series } from './Plot';

const AXES = [/^(at|begin|time|end)_ps$/, /_at_ps$|begin/,
  /^(step|batch|sample|index|order|rank|number|position)$/];

const formatOf = (column: Column): ((value: number) => string) => {
  if (column.kind === 'time') return time;
  if (column.kind === 'share') return (value) => `${(value / 1e4).toFixed(1)} %`;
  if (column.kind === 'ratio') return (value) => (value / 1e6).toFixed(2);
  if (column.unit === 'bytes' || /bytes/.test(column.name)) return bytes;
  if (column.kind === 'decimal') return (value) => grouped(value, 3);
  return count;
};

export interface Chart {
  axis: string;
  x: number[];
  series: Series[];
  format: (value: number) => string;
  formatX: (value: number) => string;
}

/** The amounts of a table over its first axis; null if it has none or fewer than two rows. */
export const chartOf = (table: Table): Chart | null => {
  const axis = AXES.flatMap((pattern) => table.columns.filter((column) =>
    pattern.test(column.name) && numbersOf(table, column.name).every((value) => value !== null)))[0];
  if (!axis || table.rows.length < 2) return null;
  const amounts = table.columns.filter((column) => column !== axis
    && ['count', 'time', 'share', 'ratio', 'rate', 'decimal'].includes(column.kind)
    && !/begin|end|_at/.test(column.name));
  if (amounts.length === 0) return null;
  const alike = amounts.filter((column) => column.kind === amounts[0].kind
    && (column.unit ?? '') === (amounts[0].unit ?? ''));
  const order = numbersOf(table, axis.name).map((value, place): [number, number] => [value!, place])
    .sort((one, other) => one[0] - other[0]);
  return {
    axis: axis.title,
    x: order.map(([value]) => value),
    series: alike.slice(0, 8).map((column) => {
      const values = numbersOf(table, column.name);
      return { label: column.title, values: order.map(([, place]) => values[place]) };
    }),
    format: formatOf(alike[0]),
    formatX: axis.kind === 'time' ? time : String,
  };
};
