/** Time, coverage, top ops, advice and losses of one profile. */
import { AdviceList } from '../parts/Advice';
import { Downloads } from '../parts/Downloads';
import { WholeTable } from '../parts/Table';
import { bytes, count, counted, percent, time } from '../format/units';
import type { Integer, ProfileDetail, Run, Table } from '../source/answers';
import { addressOf } from '../state/address';
import { below, useAnswer } from '../state/answer';
import { hasAnalyzer, type PageProps } from './registry';

const Tile = (props: { title: string; value: string; text?: string }) => (
  <div class="tile">
    <div class="muted">{props.title}</div>
    <div class="value">{props.value}</div>
    {props.text && <div class="muted">{props.text}</div>}
  </div>
);

const levelsText = (levels: number): string =>
  levels === 1 ? 'one level' : `${levels} levels`;

const Tiles = (props: { profile: ProfileDetail }) => {
  const { profile } = props;
  const lost = profile.losses.reduce((sum, loss) => sum + Number(loss.count), 0);
  const matched = profile.coverage && Number(profile.coverage.op_time_ps) > 0
    ? 1 - Number(profile.coverage.unmatched_ps) / Number(profile.coverage.op_time_ps) : null;
  return (
    <div class="tiles">
      <Tile title={profile.unit ? 'Counted' : 'Time of ops'} text={profile.producer ?? ''}
        value={time(profile.unit ? profile.coverage?.op_time_ps : profile.time_ps)} />
      <Tile title="Matched to the model" value={percent(matched)}
        text={matched === null ? 'no module' : levelsText(profile.levels.length)} />
      <Tile title="Events" value={count(profile.events)} text={bytes(profile.bytes)} />
      <Tile title="Losses" value={count(lost)}
        text={profile.losses.length === 0 ? 'nothing was lost' : profile.losses.length === 1 ? 'of one kind' : `of ${profile.losses.length} kinds`} />
    </div>
  );
};

const Runs = (props: { runs: Run[] }) => props.runs.length === 0 ? null : (
  <section>
    <h2>Runs</h2>
    <div class="scroll" tabIndex={0} role="region" aria-label="Runs">
      <table class="data">
        <thead><tr><th scope="col">recording</th>
          {['iterations', 'min', 'median', 'mean', 'samples'].map((title) =>
            <th scope="col" class="numeric" key={title}>{title}</th>)}</tr></thead>
        <tbody>{props.runs.map((run) => (
          <tr key={run.source}>
            <td class="text">{run.source}</td>
            <td class="numeric">{count(run.iterations)}</td>
            <td class="numeric">{time(run.min_ps)}</td>
            <td class="numeric">{time(run.median_ps)}</td>
            <td class="numeric">{time(run.mean_ps)}</td>
            <td class="numeric">{count(run.samples)}</td>
          </tr>
        ))}</tbody>
      </table>
    </div>
  </section>
);

interface Part {
  title: string;
  amount: Integer | null;
  time: Integer | null;
}

const Parts = (props: { title: string; parts: Part[]; none: string }) => (
  <section>
    <h2>{props.title}</h2>
    {props.parts.length === 0 ? <p class="muted">{props.none}</p> :
      <table class="data"><tbody>{props.parts.map((part) => (
        <tr key={part.title}>
          <td class="wrap">{part.title}</td>
          {part.amount !== null && <td class="numeric">{counted(part.amount, 'time')}</td>}
          <td class="numeric">{Number(part.time) > 0 && time(part.time)}</td>
        </tr>
      ))}</tbody></table>}
  </section>
);

const TopOps = (props: PageProps) => {
  const { profile } = props;
  const name = hasAnalyzer(profile, 'op') ? 'op' : 'measured-op';
  const { value } = useAnswer<Table>(below(profile.id, `analyzers/${name}?limit=10`));
  const shown = ['op', 'location', 'total_ps', 'time_ps'];
  return (
    <section class="wide">
      <h2>Top ops</h2>
      {value && value.rows.length > 0 && <WholeTable label="Top ops" table={value}
        hidden={(column) => !shown.includes(column.name) && column.name !== value.weight?.column} />}
      {value && value.rows.length === 0 && <p class="muted">No op was measured.</p>}
      <p><a href={addressOf(profile.id, 'ops', { by: name })}>All ops</a></p>
    </section>
  );
};

export const Overview = (props: PageProps) => {
  const { profile } = props;
  return (
    <div class="page">
      <Tiles profile={profile} />
      <div class="columns">
        <TopOps profile={profile} />
        <section>
          <h2>Advice</h2>
          <AdviceList profile={profile} />
        </section>
        <Parts title="Not matched" none={profile.levels.length > 0
          ? 'Every measured op has its place in the model.' : 'The profile has no module.'}
          parts={profile.unmatched.map((part) =>
            ({ title: part.reason, amount: null, time: part.time_ps }))} />
        <Parts title="Losses" none="Nothing was lost."
          parts={profile.losses.map((loss) =>
            ({ title: loss.name, amount: loss.count, time: loss.time_ps }))} />
      </div>
      <Runs runs={profile.runs} />
      <Downloads profile={profile} />
    </div>
  );
};
