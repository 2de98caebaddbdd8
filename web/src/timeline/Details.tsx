/** What is known of the chosen event, and the sums of a selected range. */
import { WholeTable } from '../parts/Table';
import { Failure, Waiting } from '../parts/Notice';
import { count, time } from '../format/units';
import type { Table } from '../source/answers';
import { below, useAnswer, type Answered } from '../state/answer';
import { endsOf, type EventAnswer, type EventEntry } from './arrows';
import type { Range } from './scene';

const textOf = (name: string, value: unknown): string =>
  name.endsWith('_ps') ? time(value as number)
    : typeof value === 'object' ? JSON.stringify(value) : String(value);

const Fields = (props: { value: Record<string, unknown> }) => (
  <dl class="fields">
    {Object.entries(props.value).filter(([, value]) => value !== null && value !== ''
      && !(Array.isArray(value) && value.length === 0)).map(([name, value]) => [
      <dt>{name.replace(/_ps$/, '').replaceAll('_', ' ')}</dt>,
      <dd>{typeof value === 'object' && !Array.isArray(value)
        ? <Fields value={value as Record<string, unknown>} /> : textOf(name, value)}</dd>,
    ])}
  </dl>
);

/** The events at the other ends of arrows; a click shows one. */
const Ends = (props: { title: string; events: EventEntry[]; onShow: (event: EventEntry) => void }) => (
  <section aria-label={props.title}>
    {props.events.length > 0 && <h3>{props.title}</h3>}
    {props.events.map((event) => <p key={event.id}>
      <button type="button" class="link" onClick={() => props.onShow(event)}>{event.name}</button>{' '}
      <span class="muted">{time(event.duration_ps)}</span></p>)}
  </section>
);

export const EventDetails = (props: {
  event: number; merged: number; answer: Answered<EventAnswer>; onShow: (event: EventEntry) => void;
}) => {
  const { value, error } = props.answer;
  const { flows: _, ...fields } = value ?? {};
  if (props.event < 0)
    return <aside class="details" aria-label="Event"><p class="muted">{count(props.merged)} events
      of several names, which are narrower than a pixel: zoom in to see each.</p></aside>;
  return (
    <aside class="details" aria-label="Event">
      {props.merged > 1 && <p class="muted">The first of {count(props.merged)} events, which are
        narrower than a pixel: zoom in to see each.</p>}
      {error ? <Failure error={error} /> : value ? <Fields value={fields} /> : <Waiting />}
      {value && <Ends title="Arrows from" events={endsOf(value, 'in')} onShow={props.onShow} />}
      {value && <Ends title="Arrows to" events={endsOf(value, 'out')} onShow={props.onShow} />}
    </aside>
  );
};

export const Sums = (props: { profile: string; range: Range }) => {
  const { begin, end } = props.range;
  const { value, error } = useAnswer<Table>(
    below(props.profile, `timeline/sum?begin_ps=${begin}&end_ps=${end}&tracks=`));
  return (
    <aside class="details" aria-label="Sums of the selection">
      <p class="muted">{time(end - begin)} selected</p>
      {error ? <Failure error={error} /> : value
        ? <WholeTable label="Sums of the selection" table={value} /> : <Waiting />}
    </aside>
  );
};
