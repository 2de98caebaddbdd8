/** Arrows: from launches to the work that they launched, from forward ops to backward ones. */
import { HEAD, ROW, type PlacedTrack } from './scene';

/** An event of an answer, without what is around it. */
export interface EventEntry {
  id: number;
  name: string;
  track: number;
  depth: number;
  begin_ps: number;
  duration_ps: number;
}

/** All that the service knows of one event. */
export interface EventAnswer extends EventEntry {
  key?: { index: number; op: string } | null;
  /** The numbers of its owners in the module. */
  ops?: number[];
  /** The events from which arrows come, and to which they go. */
  flows?: (EventEntry & { direction: 'in' | 'out' })[];
}

/** The events at the other ends of arrows that come in or go out. */
export const endsOf = (event: EventAnswer, direction: 'in' | 'out'): EventEntry[] =>
  event.flows?.filter((flow) => flow.direction === direction) ?? [];

/** An end of an arrow, in picoseconds and in pixels from the top of the tracks. */
export interface End {
  at: number;
  y: number;
}

export interface Arrow {
  from: End;
  to: End;
}

const middleOf = (event: EventEntry, tracks: PlacedTrack[]): number | null => {
  const placed = tracks.find((one) => one.track.id === event.track);
  return placed ? placed.top + HEAD + (placed.folded ? 0 : event.depth * ROW) + ROW / 2 - 1 : null;
};

/** An arrow leaves when its event ends, but not after the other one begins. */
const arrow = (from: EventEntry, to: EventEntry, tracks: PlacedTrack[]): Arrow | null => {
  const [first, second] = [middleOf(from, tracks), middleOf(to, tracks)];
  if (first === null || second === null) return null;
  const leaves = Math.max(Math.min(from.begin_ps + from.duration_ps, to.begin_ps), from.begin_ps);
  return { from: { at: leaves, y: first }, to: { at: to.begin_ps, y: second } };
};

export const arrowsOf = (event: EventAnswer, tracks: PlacedTrack[]): Arrow[] => [
  ...endsOf(event, 'in').map((other) => arrow(other, event, tracks)),
  ...endsOf(event, 'out').map((other) => arrow(event, other, tracks)),
].filter((one) => one !== null);

/** Draws an arrow between two points of the canvas. */
export const drawArrow = (context: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number) => {
  const bend = Math.max(Math.abs(toX - x) / 2, 16);
  context.beginPath();
  context.moveTo(x, y);
  context.bezierCurveTo(x + bend, y, toX - bend, toY, toX - 5, toY);
  context.stroke();
  context.beginPath();
  context.moveTo(toX, toY);
  context.lineTo(toX - 7, toY - 4);
  context.lineTo(toX - 7, toY + 4);
  context.fill();
};
