/** All events over time. */
import { useState } from 'preact/hooks';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { useSize } from '../parts/useSize';
import { counted } from '../format/units';
import { Canvas } from '../timeline/Canvas';
import { EventDetails, Sums } from '../timeline/Details';
import { useWindow } from '../timeline/useWindow';
import { moved, type Place, type Range } from '../timeline/scene';
import { ask, below, useAnswer } from '../state/answer';
import type { EventAnswer, EventEntry } from '../timeline/arrows';
import { option, setOptions } from '../state/store';
import type { PageProps } from './registry';

/** A range of the address: BEGIN-END in picoseconds; both may be negative. */
const rangeOf = (name: string): Range | null => {
  const match = /^(-?\d+)_(-?\d+)$/.exec(option(name) ?? '');
  return match && { begin: Number(match[1]), end: Number(match[2]) };
};

const textOf = (range: Range | null): string | null =>
  range && `${Math.round(range.begin)}_${Math.round(range.end)}`;

interface Span {
  begin_ps: number;
  duration_ps: number;
}

/** A range with an event in its middle, no longer than `view`. */
const around = (event: Span, view: Range, whole: Range): Range => {
  const length = Math.min(view.end - view.begin, Math.max(event.duration_ps * 20, 1000));
  const begin = event.begin_ps + event.duration_ps / 2 - length / 2;
  return moved({ begin, end: begin + length }, 0, whole);
};

interface Found {
  matched: number;
  events: Span[];
}

/** The search: marks what fits, and goes from one event to the next. */
const Search = (props: { profile: string; range: Range | null; whole: Range | null }) => {
  const text = option('find') ?? '';
  const [found, setFound] = useState<number | null>(null);
  const next = async (event: Event) => {
    event.preventDefault();
    const { range, whole } = props;
    if (text === '' || !whole) return;
    const answer = await ask<Found>(below(props.profile,
      `timeline/search?q=${encodeURIComponent(text)}&limit=1000`)).catch(() => null);
    setFound(answer?.matched ?? 0);
    const view = range ?? whole;
    const middle = (view.begin + view.end) / 2;
    const target = answer?.events.find((one) => one.begin_ps + one.duration_ps / 2 > middle + 1)
      ?? answer?.events[0];
    if (!target) return;
    setOptions({ range: textOf(around(target, view, whole)) }, true);
  };
  return (
    <form role="search" onSubmit={next}>
      <input type="search" aria-label="Search events" placeholder="Search events" value={text}
        onInput={(event) => { setFound(null); setOptions({ find: event.currentTarget.value || null }, true); }} />
      <button type="submit">Next</button>
      <span class="muted" role="status">{found !== null && counted(found, 'event')}</span>
    </form>
  );
};

export const Timeline = (props: PageProps) => {
  const { profile } = props;
  const { element, width, height } = useSize<HTMLDivElement>();
  const wanted = rangeOf('range');
  const { view, error } = useWindow(profile.id, wanted, width);
  const [chosen, setChosen] = useState<Place | null>(null);
  const selection = rangeOf('selection');
  const whole = view && { begin: view.begin_ps, end: view.end_ps };
  const range = wanted ?? whole;
  // Merged events of several names have no number.
  const event = chosen ? chosen.layer.id[chosen.index] : -1;
  const answer = useAnswer<EventAnswer>(event < 0 ? null : below(profile.id, `timeline/events/${event}`));
  const known = answer.value?.id === event ? answer.value : null;
  const show = (other: EventEntry) => whole && range
    && setOptions({ range: textOf(around(other, range, whole)) });
  const isEmpty = view && view.tracks.every((track) => track.count === 0);
  return (
    <div class="page fill timeline">
      <div class="tools">
        <Search profile={profile.id} range={wanted} whole={whole} />
        <button type="button" onClick={() => setOptions({ range: null })}>Show all</button>
        {selection && <button type="button" onClick={() => setOptions({ selection: null })}>
          Clear selection</button>}
        {view && view.left_out > 0 &&
          <span class="muted">Left out at this zoom: {counted(view.left_out, 'event')}</span>}
      </div>
      <div class="split">
        <div class="frame" ref={element}>
          {error && <Failure error={error} />}
          {!view && !error && <Waiting />}
          {isEmpty && <Nothing>This profile keeps no single events: import its recording with
            --keep-events.</Nothing>}
          {view && range && !isEmpty && width > 0 &&
            <Canvas view={view} range={range} width={width} height={height} selection={selection}
              chosen={chosen} known={known} found={option('find') ?? ''} onChoose={setChosen}
              onRange={(next) => setOptions({ range: textOf(next) }, true)}
              onSelect={(next) => setOptions({ selection: textOf(next) }, true)} />}
        </div>
        {selection && <Sums profile={profile.id} range={selection} />}
        {chosen && !selection && <EventDetails event={event} answer={answer}
          merged={chosen.layer.merged[chosen.index]} onShow={show} />}
      </div>
    </div>
  );
};
