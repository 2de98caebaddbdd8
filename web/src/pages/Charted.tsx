/** Pages of analyzers whose rows are points: memory, pipeline, cluster. */
import { useMemo } from 'preact/hooks';
import { chartOf } from '../parts/chart';
import { AnalyzerTable } from '../parts/AnalyzerTable';
import { Nothing } from '../parts/Notice';
import { Plot } from '../parts/Plot';
import type { ProfileDetail } from '../source/answers';
import { useTable } from '../state/table';
import { option, setOptions } from '../state/store';

export const analyzersOf = (profile: ProfileDetail, pattern: RegExp) =>
  profile.analyzers.filter((entry) => pattern.test(entry.name));

const Chart = (props: { profile: ProfileDetail; name: string; title: string }) => {
  const { value: table } = useTable(props.profile.id, props.name);
  const chart = useMemo(() => table && chartOf(table), [table]);
  return chart && <Plot label={props.title} {...chart} />;
};

/** The page of the analyzers whose names fit `pattern`. */
export const chartedPage = (pattern: RegExp, missing: string) =>
  (props: { profile: ProfileDetail }) => {
    const { profile } = props;
    const all = analyzersOf(profile, pattern);
    const available = all.filter((entry) => entry.available);
    const entry = available.find((one) => one.name === option('by')) ?? available[0];
    if (!entry)
      return <div class="page"><Nothing>{missing} {all[0]?.reason}</Nothing></div>;
    return (
      <div class="page">
        <div class="tools">
          <label>Table{' '}
            <select aria-label="Table" value={entry.name} onChange={(event) => setOptions(
              { by: event.currentTarget.value, sort: null, filter: null, group: null })}>
              {available.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
            </select></label>
          <span class="muted">{entry.description}</span>
        </div>
        <Chart key={entry.name} profile={profile} name={entry.name} title={entry.title} />
        <div class="tall">
          <AnalyzerTable key={entry.name} profile={profile} name={entry.name} label={entry.title} />
        </div>
      </div>
    );
  };
