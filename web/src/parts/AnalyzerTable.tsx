/** An analyzer as a table that can be filtered, grouped and sorted; the address holds how. */
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Cell, Column, ProfileDetail, Table as TableAnswer } from '../source/answers';
import { ask, below, useAnswer } from '../state/answer';
import { address, option, setOptions } from '../state/store';
import { Conditions } from './Conditions';
import { Failure, Nothing, Waiting } from './Notice';
import { Table } from './Table';

const CHUNK = 200;

/** Columns that reports as text leave out, as long as the reader does not ask for all. */
const isLeftOut = (column: Column): boolean =>
  column.use === 'data-only' && option('columns') !== 'all';

export interface AnalyzerTableProps {
  profile: ProfileDetail;
  name: string;
  label: string;
  level?: string | null;
  onOpen?: (row: Cell[], columns: Column[]) => void;
}

const addressOfRows = (props: AnalyzerTableProps, offset: number): string => {
  const options = new URLSearchParams();
  address.value.options.getAll('filter').forEach((filter) => options.append('filter', filter));
  for (const name of ['sort', 'group', 'all']) {
    const value = option(name);
    if (value) options.set(name, value);
  }
  if (props.level) options.set('level', props.level);
  options.set('limit', String(CHUNK));
  options.set('offset', String(offset));
  return below(props.profile.id, `analyzers/${encodeURIComponent(props.name)}?${options}`);
};

/**
 * The rows by their place: those of the first answer, and chunks as the table needs them.
 * Another answer has other columns, so `path` is the one that was answered.
 */
const useRows = (props: AnalyzerTableProps, first: TableAnswer | null, path: string | null) => {
  const [later, setLater] = useState<{ path: string | null; rows: Map<number, Cell[]> }>(
    { path: null, rows: new Map() });
  const rows = useMemo(() => new Map([...(first?.rows ?? []).entries(),
    ...(later.path === path ? later.rows : [])]), [first, later, path]);
  const need = useCallback((begin: number, end: number) => {
    for (let chunk = Math.floor(begin / CHUNK); chunk * CHUNK < end; ++chunk) {
      if (chunk === 0 || rows.has(chunk * CHUNK)) continue;
      ask<TableAnswer>(addressOfRows(props, chunk * CHUNK)).then((answer) => setLater((last) => {
        const known = new Map(last.path === path ? last.rows : []);
        answer.rows.forEach((row, place) => known.set(chunk * CHUNK + place, row));
        return { path, rows: known };
      }), () => undefined);
    }
  }, [rows, path]);
  return { rows, need };
};

/** The order that the answer has without a choice: by its weight, from the largest. */
const orderOf = (table: TableAnswer): string | null =>
  option('sort') ?? (table.weight && !table.parents ? `-${table.weight.column}` : null);

export const AnalyzerTable = (props: AnalyzerTableProps) => {
  const path = addressOfRows(props, 0);
  const { value: table, error, loading, path: answered } = useAnswer<TableAnswer>(path);
  const { rows, need } = useRows(props, table, answered);
  const whole = useAnswer<TableAnswer>(
    below(props.profile.id, `analyzers/${encodeURIComponent(props.name)}?limit=1`
      + (props.level ? `&level=${encodeURIComponent(props.level)}` : ''))).value;
  const empty = table && table.matched === 0;
  return (
    <section class={loading ? 'table loading' : 'table'} aria-busy={loading}>
      {whole && <Conditions columns={whole.columns} matched={table?.matched ?? null}
        total={whole.total} />}
      {error && <Failure error={error} />}
      {!table && loading && <Waiting />}
      {empty && <Nothing>No row fits. {table.notes.join(' ')}</Nothing>}
      {table && !empty && <Table label={props.label} table={table} rows={rows}
        hidden={isLeftOut}
        sort={orderOf(table)} onNeed={need}
        onSort={(sort) => setOptions({ sort })}
        onOpen={props.onOpen && ((row) => props.onOpen!(row, table.columns))} />}
      {table && !empty && table.notes.map((note) => <p class="muted" key={note}>{note}</p>)}
    </section>
  );
};
