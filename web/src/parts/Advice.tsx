/** What the rules suggest, each with the rows that it rests on. */
import { percent, time } from '../format/units';
import type { Advice, ProfileDetail } from '../source/answers';
import { addressOf } from '../state/address';
import { below, useAnswer } from '../state/answer';
import { Failure, Nothing } from './Notice';

/** The address of the rows of an advice. */
const addressOfEvidence = (profile: string, evidence: Advice['evidence'][number]): string => {
  const filters = [evidence.filter].flat().filter(Boolean);
  const place = addressOf(profile, 'tables', { name: evidence.analyzer });
  return place + filters.map((filter) => `&filter=${encodeURIComponent(filter)}`).join('');
};

const Item = (props: { profile: string; advice: Advice }) => {
  const { advice } = props;
  const severity = typeof advice.severity === 'string' ? advice.severity
    : advice.severity === null ? null : `up to ${percent(advice.severity / 1e6)}`;
  return (
    <li>
      <strong>{advice.title}</strong>
      {advice.gain_ps !== undefined && advice.gain_ps !== null &&
        <span class="gain">−{time(advice.gain_ps)}</span>}
      {severity && <span class="muted">{severity}</span>}
      {advice.text && <p>{advice.text}</p>}
      {advice.next_step && <p class="muted">{advice.next_step}</p>}
      {advice.command && <code class="command">{advice.command}</code>}
      {advice.evidence.map((evidence, place) => (
        <a key={place} href={addressOfEvidence(props.profile, evidence)}>
          Rows of {evidence.analyzer}</a>
      ))}
    </li>
  );
};

export const AdviceList = (props: { profile: ProfileDetail }) => {
  const { value, error } = useAnswer<{ advice: Advice[] }>(below(props.profile.id, 'advice'));
  if (error) return <Failure error={error} />;
  if (value?.advice.length === 0) return <Nothing>No rule applies.</Nothing>;
  return (
    <ul class="advice">
      {value?.advice.map((advice, place) =>
        <Item key={place} profile={props.profile.id} advice={advice} />)}
    </ul>
  );
};
