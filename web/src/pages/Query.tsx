/** Questions in SQL over the tables of a profile. */
import { useRef, useState } from 'preact/hooks';
import { Failure } from '../parts/Notice';
import { WholeTable } from '../parts/Table';
import { counted } from '../format/units';
import type { Table } from '../source/answers';
import { source } from '../source/source';
import { below } from '../state/answer';
import { option, setOptions } from '../state/store';
import type { PageProps } from './registry';

const EXAMPLE = `SELECT name, count(*) AS ops, sum(time_ps) AS time_ps
FROM ops GROUP BY name ORDER BY time_ps DESC LIMIT 100`;

interface State {
  table: Table | null;
  error: Error | null;
  busy: boolean;
}

export const Query = (props: PageProps) => {
  const [state, setState] = useState<State>({ table: null, error: null, busy: false });
  const text = useRef<HTMLTextAreaElement>(null);
  const run = async (event: Event) => {
    event.preventDefault();
    const sql = text.current!.value;
    setOptions({ sql }, true);
    setState({ ...state, busy: true });
    try {
      const table = await source.send<Table>('POST', below(props.profile.id, 'query'), { sql });
      setState({ table, error: null, busy: false });
    } catch (error) {
      setState({ table: null, error: error as Error, busy: false });
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(event);
  };
  return (
    <div class="page fill">
      <form class="query" onSubmit={run}>
        <textarea ref={text} aria-label="SQL" rows={6} spellcheck={false} onKeyDown={pressed}
          defaultValue={option('sql') ?? EXAMPLE} />
        <div class="tools">
          <button type="submit" disabled={state.busy}>{state.busy ? 'Running…' : 'Run'}</button>
          <span class="muted">Ctrl+Enter runs the query. A single SELECT; nothing can be changed.</span>
          <span class="muted rows" role="status">{state.table && counted(state.table.rows.length, 'row')}</span>
        </div>
      </form>
      {state.error && <Failure error={state.error} />}
      {state.table && <section class="table"><WholeTable label="Result" table={state.table} /></section>}
    </div>
  );
};
