/** The phases of steps: a curve over all of them, and the lanes of one. */
import { useMemo } from 'preact/hooks';
import { AnalyzerTable } from '../parts/AnalyzerTable';
import { Lanes } from '../parts/Lanes';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { Plot } from '../parts/Plot';
import { time } from '../format/units';
import type { Column, Table } from '../source/answers';
import { numbersOf, useTable } from '../state/table';
import { option, setOptions } from '../state/store';
import { hasAnalyzer, type PageProps } from './registry';

/** The columns that are lengths of time; a begin is a point. */
const phasesOf = (table: Table): Column[] =>
  table.columns.filter((column) => column.kind === 'time' && !/begin|end/.test(column.name)
    && numbersOf(table, column.name).some((value) => value !== null));

const mean = (values: (number | null)[]): number | null => {
  const known = values.filter((value): value is number => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
};

const Means = (props: { table: Table; phases: Column[] }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Averages of phases">
    <table class="data">
      <thead><tr><th scope="col">average</th>
        {props.phases.map((column) => <th scope="col" class="numeric" key={column.name}>{column.title}</th>)}
      </tr></thead>
      <tbody>
        {[['all steps', 0], ['without the first', 1]].map(([title, first]) => (
          <tr key={title}><td class="text">{title}</td>
            {props.phases.map((column) => <td class="numeric" key={column.name}>
              {time(mean(numbersOf(props.table, column.name).slice(first as number)))}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const Steps = (props: PageProps) => {
  const { profile } = props;
  // Phases need ops in the steps; without any, their times alone are shown.
  const trace = useTable(profile.id, hasAnalyzer(profile, 'step-trace') ? 'step-trace' : null, 'sort=step:asc');
  const name = trace.value?.rows.length || trace.loading ? 'step-trace' : 'step';
  const steps = useTable(profile.id, name === 'step' && hasAnalyzer(profile, 'step') ? 'step' : null,
    'sort=step:asc');
  const { value: table, error, loading } = name === 'step' ? steps : trace;
  const phases = useMemo(() => (table ? phasesOf(table) : []), [table]);
  const phase = phases.find((column) => column.name === option('phase'))
    ?? phases.find((column) => /total|duration/.test(column.name)) ?? phases[0];
  const x = useMemo(() => table?.rows.map((_, place) => place) ?? [], [table]);
  const series = useMemo(() => phase && table
    ? [{ label: phase.title, values: numbersOf(table, phase.name) }] : [], [table, phase]);
  if (error) return <Failure error={error} />;
  if (!table && loading) return <Waiting />;
  if (!table || !phase) return <Nothing>This profile has no steps. {trace.value?.notes.join(' ')}</Nothing>;
  const chosen = Math.min(Math.max(Number(option('at') ?? 0), 0), x.length - 1);
  const numbers = numbersOf(table, 'step');
  const choose = (place: number) => setOptions({ at: String(place) }, true);
  // The user knows steps by their numbers; of equal ones in several runs, the first is meant.
  const chooseNumber = (number: number) => {
    if (numbers.includes(number)) choose(numbers.indexOf(number));
  };
  return (
    <div class="page">
      <div class="tools">
        <label>Phase{' '}
          <select aria-label="Phase" value={phase.name}
            onChange={(event) => setOptions({ phase: event.currentTarget.value })}>
            {phases.map((column) => <option key={column.name} value={column.name}>{column.title}</option>)}
          </select></label>
        <label>Step{' '}
          <input type="number" aria-label="Step" value={numbers[chosen] ?? chosen}
            onChange={(event) => chooseNumber(Number(event.currentTarget.value))} /></label>
      </div>
      <Plot label={`${phase.title} of each step`} axis="step" x={x} series={series} format={time}
        formatX={(place) => String(numbers[place] ?? place)} chosen={chosen} onChoose={choose} />
      <h2>Step {numbers[chosen] ?? chosen}</h2>
      <Lanes lanes={phases.map((column) =>
        ({ title: column.title, value: numbersOf(table, column.name)[chosen] }))} />
      <Means table={table} phases={phases} />
      <div class="tall"><AnalyzerTable profile={profile} name={name} label="Steps" /></div>
    </div>
  );
};
