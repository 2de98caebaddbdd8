/** The events of the page in one file, as the service would answer them. */
import type { EventAnswer, EventEntry } from '../timeline/arrows';
import type { Layer, TimelineWindow } from './answers';

/** The op behind the key of an event, and the numbers of its owners in the module. */
interface Key {
  index: number;
  op: string;
  ops: number[];
}

/** The timeline of a file: for each event also the one that launched it, or -1. */
export interface FileTimeline extends TimelineWindow {
  layers: (Layer & { launch: number[] })[];
  keys: Key[];
}

interface Found extends EventEntry {
  key: number;
  launch: number;
}

const cache = new WeakMap<FileTimeline, Map<number, Found>>();

/** The events that are shown one by one, by their numbers. */
const eventsOf = (timeline: FileTimeline): Map<number, Found> => {
  const known = cache.get(timeline);
  if (known) return known;
  const events = new Map<number, Found>();
  for (const layer of timeline.layers)
    layer.id.forEach((id, at) => {
      if (id < 0) return;
      events.set(id, { id, name: timeline.names[layer.name[at]] ?? '', track: layer.track, depth: layer.depth,
        begin_ps: layer.begin[at], duration_ps: layer.duration[at], key: layer.op[at], launch: layer.launch[at] });
    });
  cache.set(timeline, events);
  return events;
};

/** An event without what only this file needs. */
const entryOf = ({ key: _key, launch: _launch, ...entry }: Found): EventEntry => entry;

/** Returns the first events whose names hold a text, in any case, by begin. */
export const eventsNamed = (timeline: FileTimeline, text: string, limit: number) => {
  const wanted = text.toLowerCase();
  const found = [...eventsOf(timeline).values()].filter((one) => one.name.toLowerCase().includes(wanted))
    .sort((one, two) => one.begin_ps - two.begin_ps);
  return { matched: found.length, events: found.slice(0, limit).map(entryOf) };
};

/** Returns the answer about one event, or undefined if it is not shown alone. */
export const eventOf = (timeline: FileTimeline, id: number): EventAnswer | undefined => {
  const events = eventsOf(timeline);
  const event = events.get(id);
  if (!event) return undefined;
  const key = timeline.keys.find((one) => one.index === event.key);
  const launcher = events.get(event.launch);
  const launched = [...events.values()].filter((one) => one.launch === id);
  return {
    ...entryOf(event),
    key: key ? { index: key.index, op: key.op } : null,
    ops: key?.ops ?? [],
    flows: [
      ...(launcher ? [{ ...entryOf(launcher), direction: 'in' as const }] : []),
      ...launched.map((one) => ({ ...entryOf(one), direction: 'out' as const })),
    ],
  };
};
