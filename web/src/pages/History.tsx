/** The time of a model over its recordings, with the points at which it changed. */
import { useMemo } from 'preact/hooks';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { Plot } from '../parts/Plot';
import { time } from '../format/units';
import type { History as HistoryAnswer, Integer, Profile } from '../source/answers';
import { addressOf } from '../state/address';
import { useAnswer } from '../state/answer';
import { goTo, option, setOptions } from '../state/store';

const numberOf = (value: Integer | null): number | null => (value === null ? null : Number(value));

const Changes = (props: { history: HistoryAnswer }) => {
  const { changes } = props.history;
  if (changes.length === 0) return <p class="muted">The time did not change significantly.</p>;
  return (
    <table class="data">
      <thead><tr><th scope="col">at</th><th scope="col" class="numeric">before</th>
        <th scope="col" class="numeric">after</th><th scope="col">change</th></tr></thead>
      <tbody>{changes.map((change) => (
        <tr key={change.at}><td class="text">{change.at}</td>
          <td class="numeric">{time(change.before_ps)}</td><td class="numeric">{time(change.after_ps)}</td>
          <td class="text">{change.text}</td></tr>
      ))}</tbody>
    </table>
  );
};

const Curve = (props: { model: string }) => {
  const { value, error } = useAnswer<HistoryAnswer>(
    `history?model=${encodeURIComponent(props.model)}&limit=50`);
  const x = useMemo(() => value?.points.map((_, place) => place) ?? [], [value]);
  const series = useMemo(() => value ? [
    { label: 'median', values: value.points.map((point) => numberOf(point.median_ps)) },
    { label: 'low', values: value.points.map((point) => numberOf(point.low_ps)) },
    { label: 'high', values: value.points.map((point) => numberOf(point.high_ps)) },
  ] : [], [value]);
  if (error) return <Failure error={error} />;
  if (!value) return <Waiting />;
  if (x.length === 0) return <Nothing>The model has no recordings with iterations.</Nothing>;
  const name = (place: number) =>
    value.points[place]?.commit?.slice(0, 10) ?? value.points[place]?.recorded_at?.slice(0, 10) ?? '';
  const open = (place: number) => { goTo(addressOf(value.points[place].id, 'overview')); };
  return (
    <>
      <Plot label="Median time over recordings" axis="recording" x={x} series={series} format={time}
        formatX={name} height={300} onChoose={open} />
      <h2>Changes</h2>
      <Changes history={value} />
    </>
  );
};

export const History = () => {
  const { value, error } = useAnswer<{ profiles: Profile[] }>('profiles?search=&limit=500');
  const models = [...new Set(value?.profiles.flatMap((profile) => profile.model || []))].sort();
  const model = option('model') ?? models[0];
  return (
    <div class="page">
      <div class="tools">
        <label>Model{' '}
          <select aria-label="Model" value={model ?? ''}
            onChange={(event) => setOptions({ model: event.currentTarget.value })}>
            {models.map((name) => <option key={name}>{name}</option>)}
          </select></label>
      </div>
      {error && <Failure error={error} />}
      {model ? <Curve key={model} model={model} /> : value && <Nothing>No profile names its model.</Nothing>}
    </div>
  );
};
