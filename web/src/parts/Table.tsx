/** A table of an analyzer. Rows come in chunks; those far from view are not in the document. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { cellText, isNumeric, largestOf, shortened, unitOf, type Unit } from '../format/units';
import type { Cell, Column, Table as TableAnswer } from '../source/answers';
import { isDescending } from '../source/tables';
import { Bar } from './Bar';

const ROW = 26;
const BEYOND = 12;

export interface TableProps {
  label: string;
  table: TableAnswer;
  /** The rows that are known, by their place. */
  rows: Map<number, Cell[]>;
  sort: string | null;
  hidden?: (column: Column) => boolean;
  onSort?: (sort: string) => void;
  /** Asks for the rows from one place to another. */
  onNeed?: (begin: number, end: number) => void;
  onOpen?: (row: Cell[]) => void;
  selected?: (row: Cell[]) => boolean;
}

const nameOf = (sort: string | null): string => (sort ?? '').replace(/^-|:(asc|desc)$/g, '');

/** The next order of a column: a click sorts, a second one turns. */
const turned = (column: Column, sort: string | null): string => {
  const descending = sort === null ? false : sort.startsWith('-') || sort.endsWith(':desc');
  if (nameOf(sort) !== column.name) return (isDescending(column) ? '-' : '') + column.name;
  return descending ? `${column.name}:asc` : `-${column.name}`;
};

const Heading = (props: { column: Column; unit: Unit; sort: string | null;
  onSort?: (sort: string) => void }) => {
  const { column, unit, sort, onSort } = props;
  const current = nameOf(sort) === column.name;
  const descending = current && !!sort && (sort.startsWith('-') || sort.endsWith(':desc'));
  const text = [column.title, ' ', unit.name && <span class="unit">{unit.name}</span>];
  return (
    <th scope="col" data-name={column.name} class={isNumeric(column) ? 'numeric' : ''}
      aria-sort={current ? (descending ? 'descending' : 'ascending') : undefined}>
      {onSort
        ? <button type="button" onClick={() => onSort(turned(column, sort))}>
            {text}<span class="order" aria-hidden="true">{current ? (descending ? '▾' : '▴') : ''}</span>
          </button>
        : text}
    </th>
  );
};

/** The exact number, for those who point at a rounded one. */
const exact = (cell: Cell, column: Column): string | undefined =>
  cell === null ? undefined
    : isNumeric(column) ? `${cell} ${column.unit ?? ''}`.trim() : String(cell);

const classOf = (cell: Cell, column: Column): string =>
  !isNumeric(column) ? 'text' : Number(cell) === 0 ? 'numeric zero' : 'numeric';

const Row = (props: TableProps & { place: number; row: Cell[] | undefined; columns: number[];
  units: Unit[]; depth: number }) => {
  const { place, row, columns, table, units, onOpen } = props;
  const weight = table.columns.findIndex((column) => column.name === table.weight?.column);
  const total = Number(table.weight?.total ?? 0);
  const first = table.columns.findIndex((column) => column.kind === 'text');
  if (!row) return <tr aria-rowindex={place + 2}><td colSpan={columns.length + 1}>…</td></tr>;
  const share = total > 0 && weight >= 0 ? Number(row[weight] ?? 0) / total : 0;
  return (
    <tr aria-rowindex={place + 2} class={onOpen ? 'opens' : ''} tabIndex={onOpen ? 0 : undefined}
      aria-selected={props.selected?.(row)} data-place={place}
      onClick={() => onOpen?.(row)}
      onKeyDown={(event) => event.key === 'Enter' && onOpen?.(row)}>
      {weight >= 0 && <td class="share"><Bar share={share} />
        <span class="percent">{total > 0 ? `${(share * 100).toFixed(1)} %` : '–'}</span></td>}
      {columns.map((index) => (
        <td key={index} class={classOf(row[index], table.columns[index])}
          title={exact(row[index], table.columns[index])}
          style={index === first && props.depth ? { paddingLeft: `${props.depth * 14 + 8}px` } : {}}>
          {shortened(cellText(row[index], table.columns[index], units[index]))}
        </td>
      ))}
    </tr>
  );
};

/** How deep each row is below those of `parents`. */
const depthsOf = (parents: (number | null)[] | null): number[] => {
  const depths: number[] = [];
  parents?.forEach((parent, place) =>
    depths.push(parent === null || parent >= place ? 0 : depths[parent] + 1));
  return depths;
};

const moveFocus = (event: KeyboardEvent) => {
  const row = (event.target as HTMLElement).closest('tr');
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling
    : event.key === 'ArrowUp' ? row?.previousElementSibling : null;
  if (!(next instanceof HTMLElement) || next.tabIndex < 0) return;
  next.focus();
  event.preventDefault();
};

/** The unit of each column. Zeros alone have none of their own: they get that of the weight. */
const unitsOf = (table: TableAnswer, rows: Cell[][]): Unit[] => {
  const largest = largestOf(table.columns, rows);
  const weight = table.columns.findIndex((column) => column.name === table.weight?.column);
  return table.columns.map((column, place) =>
    unitOf(column, largest[place] === 0 && column.kind === table.columns[weight]?.kind
      ? largest[weight] : largest[place]));
};

/** The columns that are shown: the weight first, beside its share, so that it is in view. */
const placesOf = (table: TableAnswer, hidden?: (column: Column) => boolean): number[] => {
  const places = table.columns.flatMap((column, place) => (hidden?.(column) ? [] : [place]));
  const isWeight = (place: number) => table.columns[place].name === table.weight?.column;
  return [...places.filter(isWeight), ...places.filter((place) => !isWeight(place))];
};

export const Table = (props: TableProps) => {
  const { table, rows, onNeed } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ begin: 0, end: 60 });
  const { begin } = view;
  const end = Math.min(view.end, table.matched);
  const look = () => {
    const element = frame.current;
    if (!element) return;
    const first = Math.max(Math.floor(element.scrollTop / ROW) - BEYOND, 0);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / ROW) + BEYOND;
    if (first !== begin || last !== view.end) setView({ begin: first, end: last });
  };
  useEffect(look);
  useEffect(() => onNeed?.(begin, end), [begin, end, rows, onNeed]);
  const known = table.rows.length ? table.rows : [...rows.values()];
  const units = unitsOf(table, known);
  const columns = placesOf(table, props.hidden);
  const depths = depthsOf(table.parents);
  const places = Array.from({ length: Math.max(end - begin, 0) }, (_, place) => begin + place);
  const spacer = (count: number) =>
    count > 0 && <tr class="spacer" aria-hidden="true" style={{ height: `${count * ROW}px` }}><td /></tr>;
  return (
    <div class="scroll" ref={frame} onScroll={look} tabIndex={0} role="region"
      aria-label={props.label}>
      <table aria-rowcount={table.matched + 1} onKeyDown={moveFocus} class="data">
        <thead>
          <tr aria-rowindex={1}>
            {table.weight && <th scope="col" class="share">share</th>}
            {columns.map((place) => <Heading key={table.columns[place].name} sort={props.sort}
              column={table.columns[place]} unit={units[place]} onSort={props.onSort} />)}
          </tr>
        </thead>
        <tbody>
          {spacer(begin)}
          {places.map((place) => <Row key={place} {...props} place={place} row={rows.get(place)}
            columns={columns} units={units} depth={depths[place] ?? 0} />)}
          {spacer(table.matched - end)}
        </tbody>
      </table>
    </div>
  );
};

/** A table whose rows are all in the answer. */
export const WholeTable = (props: Omit<TableProps, 'rows' | 'sort'> & { sort?: string | null }) => {
  const rows = new Map(props.table.rows.map((row, place) => [place, row]));
  return <Table {...props} sort={props.sort ?? null} rows={rows}
    table={{ ...props.table, matched: props.table.rows.length }} />;
};
