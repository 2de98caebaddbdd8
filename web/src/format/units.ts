/** Numbers as text. A column has one unit, so that its digits can be compared. */
import type { Cell, Column, Integer } from '../source/answers';

export interface Unit {
  name: string;
  /** How many of the base unit it is. */
  size: number;
  digits: number;
}

const TIMES: Unit[] = [
  { name: 's', size: 1e12, digits: 3 },
  { name: 'ms', size: 1e9, digits: 3 },
  { name: 'µs', size: 1e6, digits: 3 },
  { name: 'ns', size: 1e3, digits: 3 },
  { name: 'ps', size: 1, digits: 0 },
];

const BYTES: Unit[] = [
  { name: 'GiB', size: 2 ** 30, digits: 2 },
  { name: 'MiB', size: 2 ** 20, digits: 2 },
  { name: 'KiB', size: 2 ** 10, digits: 1 },
  { name: 'B', size: 1, digits: 0 },
];

const RATES: Unit[] = [
  { name: 'T', size: 1e12, digits: 2 },
  { name: 'G', size: 1e9, digits: 2 },
  { name: 'M', size: 1e6, digits: 2 },
  { name: 'k', size: 1e3, digits: 1 },
  { name: '', size: 1, digits: 0 },
];

const fitting = (units: Unit[], largest: number): Unit =>
  units.find((unit) => Math.abs(largest) >= unit.size) ?? units[units.length - 1];

/** Digits in groups of three, set apart by thin spaces. */
export const grouped = (value: number, digits: number): string => {
  const [whole, part] = Math.abs(value).toFixed(digits).split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, '\u2009');
  return (value < 0 ? '\u2212' : '') + (part === undefined ? text : `${text}.${part}`);
};

const inUnit = (value: number, unit: Unit): string => grouped(value / unit.size, unit.digits);

const alone = (units: Unit[], value: Integer | null | undefined): string => {
  if (value === null || value === undefined) return '\u2013';
  const unit = fitting(units, Number(value));
  return `${inUnit(Number(value), unit)} ${unit.name}`.trim();
};

/** What the shown profile counted in place of time, such as instructions; null for times. */
let countedUnit: string | null = null;

/** Says in which unit amounts are that are times in other profiles. */
export const setCounted = (unit: string | null): void => {
  countedUnit = unit;
};

/** Texts of the ticks of an axis, in one unit and with the digits that tell neighbors apart. */
const alike = (units: Unit[], values: number[]): string[] => {
  const unit = fitting(units, Math.max(...values.map(Math.abs)));
  const step = Math.abs((values[1] ?? 0) - (values[0] ?? 0)) / unit.size;
  const digits = step > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0), 6) : 0;
  return values.map((value) => (value === 0 ? '0' : `${grouped(value / unit.size, digits)} ${unit.name}`));
};

export const timeTicks = (values: number[]): string[] =>
  countedUnit === null ? alike(TIMES, values) : values.map(time);
export const byteTicks = (values: number[]): string[] => alike(BYTES, values);

export const time = (value: Integer | null | undefined): string =>
  countedUnit === null || value === null || value === undefined ? alone(TIMES, value)
    : `${grouped(Number(value), 0)} ${countedUnit}`;
export const bytes = (value: Integer | null | undefined): string => alone(BYTES, value);
export const count = (value: Integer | null | undefined): string =>
  value === null || value === undefined ? '\u2013' : grouped(Number(value), 0);
/** A number of things, such as "1 row" or "2 rows". */
export const counted = (value: Integer, thing: string): string =>
  `${count(value)} ${thing}${Number(value) === 1 ? '' : 's'}`;
export const percent = (share: number | null | undefined, digits = 1): string =>
  share === null || share === undefined ? '\u2013' : `${(share * 100).toFixed(digits)} %`;

/** Reads a time with a unit, such as 1.5ms, as picoseconds; without one, it is picoseconds. */
export const parseTime = (text: string): number => {
  const match = /^\s*([\d.eE+-]+)\s*([a-zµ]*)\s*$/.exec(text);
  const name = match?.[2].replace('us', 'µs') || 'ps';
  const unit = TIMES.find((known) => known.name === name);
  return match && unit ? Number(match[1]) * unit.size : Number.NaN;
};

export const isNumeric = (column: Column): boolean =>
  column.kind !== 'text' && column.kind !== 'list';

const isBytes = (column: Column): boolean =>
  column.unit === 'bytes' || /(^|_)bytes$/.test(column.name);

/** The unit of all cells of a column whose largest magnitude is `largest`. */
export const unitOf = (column: Column, largest: number): Unit => {
  switch (column.kind) {
    case 'time': return fitting(TIMES, largest);
    case 'share': return { name: '%', size: 1e4, digits: 1 };
    case 'ratio': return { name: '', size: 1e6, digits: 2 };
    case 'rate': {
      const unit = fitting(RATES, largest);
      const base = column.title.startsWith('bytes') || /bytes/.test(column.name) ? 'B/s' : 'flop/s';
      return { ...unit, name: unit.name + (column.unit === 'per_second' ? base : '/s') };
    }
    case 'decimal': return { name: '', size: 1, digits: 3 };
    default: return isBytes(column) ? fitting(BYTES, largest) : { name: '', size: 1, digits: 0 };
  }
};

/** The text of a cell in the unit of its column. */
export const cellText = (cell: Cell, column: Column, unit: Unit): string => {
  if (cell === null || cell === undefined) return '\u2013';
  if (Array.isArray(cell)) return cell.join('\u00d7');
  if (!isNumeric(column)) return String(cell);
  const digits = column.kind === 'number' ? (Number.isInteger(Number(cell)) ? 0 : 3) : unit.digits;
  const value = Number(cell) / unit.size;
  return column.kind === 'number' ? value.toFixed(digits) : grouped(value, digits);
};

/** The largest magnitude of each column. */
export const largestOf = (columns: Column[], rows: Cell[][]): number[] =>
  columns.map((column, place) => !isNumeric(column) ? 0
    : rows.reduce((largest, row) => Math.max(largest, Math.abs(Number(row[place] ?? 0))), 0));

const LONGEST = 64;

/** A long text without its middle: paths differ at their ends. */
export const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 4)}…${text.slice(-LONGEST * 3 / 4 + 1)}`;
