/** Filters, groups, sorts and pages a table, by the rules of `mlir-prof report`. */
import type { Cell, Column, Table } from './answers';
import { parseTime } from '../format/units';

const TEXT_OPERATORS = ['~~', '~', '=', '!=', '!~', '!~~'];
const NUMBER_OPERATORS = ['=', '!=', '<', '<=', '>', '>='];

export interface Condition {
  column: string;
  operator: string;
  value: string;
}

/** Reads COLUMN=VALUE and the like; null if it is no condition. */
export const parseCondition = (text: string): Condition | null => {
  const match = /^(\w+)(!~~|!~|~~|!=|<=|>=|=|~|<|>)(.*)$/s.exec(text);
  return match && { column: match[1], operator: match[2], value: match[3] };
};

export const operatorsOf = (column: Column): string[] =>
  column.kind === 'text' ? TEXT_OPERATORS : NUMBER_OPERATORS;

/** The values of A|B; a backslash keeps a bar in its value. */
const valuesOf = (text: string): string[] =>
  text.split(/(?<!\\)\|/).map((part) => part.replaceAll('\\|', '|'));

/** The column of a name, which may leave out the unit at its end. */
const placeOf = (table: Table, name: string): number => {
  const at = (wanted: string) => table.columns.findIndex((column) => column.name === wanted);
  return [name, `${name}_ps`, `${name}_ppm`].map(at).find((place) => place >= 0) ?? -1;
};

const compare = (one: Cell, other: Cell): number => {
  if (typeof one === 'string' && typeof other === 'string' && !/^-?\d+$/.test(one + other))
    return one < other ? -1 : one > other ? 1 : 0;
  return Number(one) - Number(other);
};

const number = (text: string, column: Column): number =>
  column.kind === 'time' ? parseTime(text) : Number(text);

/** Whether a cell fits one value of a condition, whose operator does not negate. */
const fits = (cell: Cell, operator: string, value: string, column: Column): boolean => {
  if (operator === '~') return String(cell).includes(value);
  if (operator === '~~') return String(cell).toLowerCase().includes(value.toLowerCase());
  const order = column.kind === 'text'
    ? (String(cell) === value ? 0 : String(cell) < value ? -1 : 1)
    : Number(cell) - number(value, column);
  switch (operator) {
    case '=': return order === 0;
    case '<': return order < 0;
    case '<=': return order <= 0;
    case '>': return order > 0;
    default: return order >= 0;
  }
};

const holds = (cell: Cell, condition: Condition, column: Column): boolean => {
  const { operator, value } = condition;
  const negated = operator.startsWith('!');
  if (value === '') return (cell === null) !== negated;
  if (cell === null) return false;
  const values = operator.startsWith('<') || operator.startsWith('>') ? [value] : valuesOf(value);
  const one = operator.replace('!', '');
  return values.some((text) => fits(cell, one, text, column)) !== negated;
};

/** Whether a click on a column first sorts it from the largest. */
export const isDescending = (column: Column): boolean =>
  ['count', 'time', 'rate', 'ratio', 'share', 'decimal'].includes(column.kind);

const sorted = (table: Table, sort: string): Cell[][] => {
  const name = sort.replace(/^-|:(asc|desc)$/g, '');
  const place = placeOf(table, name);
  if (place < 0) return table.rows;
  const descending = sort.startsWith('-') || sort.endsWith(':desc')
    || (!sort.endsWith(':asc') && isDescending(table.columns[place]));
  return [...table.rows].sort((one, other) => {
    if (one[place] === null || other[place] === null)
      return Number(one[place] === null) - Number(other[place] === null);
    const order = compare(one[place], other[place]);
    return descending ? -order : order;
  });
};

/** One row for each value of the column `name`, with the sums of times and counts. */
const grouped = (table: Table, name: string): Table => {
  const place = placeOf(table, name);
  if (place < 0) throw new Error(`The table lacks the column '${name}'.`);
  const kept = table.columns.flatMap((column, index) =>
    column.kind === 'time' || column.kind === 'count' ? [index] : []);
  const sums = new Map<Cell, Cell[]>();
  for (const row of table.rows) {
    const known = sums.get(row[place]);
    if (!known) sums.set(row[place], [row[place], 1, ...kept.map((index) => row[index])]);
    else {
      known[1] = Number(known[1]) + 1;
      kept.forEach((index, at) => {
        if (row[index] !== null) known[at + 2] = Number(known[at + 2] ?? 0) + Number(row[index]);
      });
    }
  }
  const rows: Column = { name: 'rows', title: 'rows', kind: 'count' };
  const columns = [table.columns[place], rows, ...kept.map((index) => table.columns[index])];
  return { ...table, columns, rows: [...sums.values()], parents: null, total: sums.size };
};

/** Returns what the service would answer for the options of an address. */
export const applyOptions = (whole: Table, options: URLSearchParams): Table => {
  let table = whole;
  for (const text of options.getAll('filter')) {
    const condition = parseCondition(text);
    const place = condition ? placeOf(table, condition.column) : -1;
    if (!condition || place < 0) throw new Error(`The table lacks the column of '${text}'.`);
    const column = table.columns[place];
    table = { ...table, parents: null, rows: table.rows.filter((row) => holds(row[place], condition, column)) };
  }
  const group = options.get('group');
  if (group) table = grouped(table, group);
  const sort = options.get('sort');
  if (sort) table = { ...table, rows: sorted(table, sort), parents: null };
  const offset = Number(options.get('offset') ?? 0);
  const limit = Number(options.get('limit') ?? 50);
  const page = table.rows.slice(offset, offset + limit);
  const parents = table.parents?.slice(offset, offset + limit) ?? null;
  return { ...table, rows: page, parents, matched: table.rows.length, next: null };
};
