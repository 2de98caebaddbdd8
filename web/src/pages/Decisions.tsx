/** What an optimization decided, its receipts, and what passes did to identities. */
import { AdviceList } from '../parts/Advice';
import { AnalyzerTable } from '../parts/AnalyzerTable';
import { Nothing } from '../parts/Notice';
import type { Rule } from '../source/answers';
import { useAnswer } from '../state/answer';
import { option, setOptions } from '../state/store';
import type { PageProps } from './registry';
import { analyzersOf } from './Charted';

const Rules = () => {
  const { value } = useAnswer<{ rules: Rule[] }>('rules');
  if (!value?.rules.length) return null;
  return (
    <section>
      <h2>Rules</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Rules">
        <table class="data">
          <thead><tr><th scope="col">rule</th><th scope="col">description</th><th scope="col">needs</th></tr></thead>
          <tbody>{value.rules.map((rule) => (
            <tr key={rule.name}><td class="text">{rule.name}</td><td class="wrap">{rule.description}</td>
              <td class="wrap">{[rule.needs].flat().join(', ')}</td></tr>
          ))}</tbody>
        </table>
      </div>
    </section>
  );
};

export const Decisions = (props: PageProps) => {
  const { profile } = props;
  const available = analyzersOf(profile, /^(decision|receipt|audit|pass)/).filter((entry) => entry.available);
  const entry = available.find((one) => one.name === option('by')) ?? available[0];
  return (
    <div class="page">
      {entry ? <section>
        <div class="tools"><label>Table{' '}
          <select aria-label="Table" value={entry.name}
            onChange={(event) => setOptions({ by: event.currentTarget.value, sort: null, filter: null })}>
            {available.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
          </select></label></div>
        <div class="tall"><AnalyzerTable key={entry.name} profile={profile} name={entry.name} label={entry.title} /></div>
      </section> : <Nothing>This profile holds no decisions, receipts or audit: mlir-prof optimize writes them to files
        (--decisions, --receipts), and mlir-prof audit prints what passes did to identities.</Nothing>}
      <section><h2>Advice</h2><AdviceList profile={profile} /></section>
      <Rules />
    </div>
  );
};
