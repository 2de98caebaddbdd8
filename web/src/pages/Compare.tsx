/** Two profiles, row by row: what became slower, what faster. */
import { useMemo } from 'preact/hooks';
import { WholeTable } from '../parts/Table';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { grouped, time } from '../format/units';
import type { Difference, Profile } from '../source/answers';
import { applyOptions } from '../source/tables';
import { useAnswer } from '../state/answer';
import { address, option, setOptions } from '../state/store';

const Choice = (props: { label: string; name: string; profiles: Profile[] }) => (
  <label>{props.label}{' '}
    <select aria-label={props.label} value={option(props.name) ?? ''}
      onChange={(event) => setOptions({ [props.name]: event.currentTarget.value || null })}>
      <option value="">choose</option>
      {props.profiles.filter((profile) => profile.state === 'ready').map((profile) =>
        <option key={profile.id} value={profile.id}>
          {[profile.name, profile.label, profile.commit?.slice(0, 10)].filter(Boolean).join(', ')}</option>)}
    </select>
  </label>
);

/** The change of the whole, in percent of the time before. */
const Verdict = (props: { difference: Difference }) => {
  const { before_ps, after_ps, verdict } = props.difference;
  const change = (Number(after_ps) / Number(before_ps) - 1) * 100;
  return (
    <div class="tiles">
      <div class="tile"><div class="muted">Before</div><div class="value">{time(before_ps)}</div></div>
      <div class="tile"><div class="muted">After</div><div class="value">{time(after_ps)}</div></div>
      <div class="tile"><div class="muted">Change</div>
        <div class="value">{Number.isFinite(change) ? `${change > 0 ? '+' : ''}${grouped(change, 1)} %` : '–'}</div>
        <div class="muted">{verdict}</div></div>
    </div>
  );
};

const Rows = (props: { before: string; after: string }) => {
  const options = new URLSearchParams({ before: props.before, after: props.after, limit: '1000' });
  const { value, error } = useAnswer<Difference>(`diff?${options}`);
  const sort = option('sort');
  const shown = useMemo(() => value && applyOptions(value,
    new URLSearchParams({ ...(sort ? { sort } : {}), limit: '10000' })), [value, sort]);
  if (error) return <Failure error={error} />;
  if (!value || !shown) return <Waiting />;
  return (
    <>
      <Verdict difference={value} />
      {value.rows.length === 0 ? <Nothing>Nothing changed.</Nothing>
        : <WholeTable label="Differences" table={shown} hidden={(column) => column.use === 'data-only'} sort={sort} onSort={(next) => setOptions({ sort: next })} />}
      {value.notes?.map((note) => <p class="muted" key={note}>{note}</p>)}
    </>
  );
};

export const Compare = () => {
  const { value, error } = useAnswer<{ profiles: Profile[] }>('profiles?search=&limit=500');
  const options = address.value.options;
  const [before, after] = [options.get('before'), options.get('after')];
  return (
    <div class="page">
      <div class="tools">
        <Choice label="Before" name="before" profiles={value?.profiles ?? []} />
        <Choice label="After" name="after" profiles={value?.profiles ?? []} />
        <button type="button" disabled={!before && !after}
          onClick={() => setOptions({ before: after, after: before })}>Swap</button>
      </div>
      {error && <Failure error={error} />}
      {before && after ? <Rows before={before} after={after} />
        : <Nothing>Choose two profiles of the same model.</Nothing>}
    </div>
  );
};
