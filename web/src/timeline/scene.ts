/** Where tracks and events stand: pure geometry of the timeline. */
import type { Layer, TimelineWindow, Track } from '../source/answers';

export const ROW = 18;
export const HEAD = 22;
export const RULER = 26;

/** A part of time, in picoseconds. */
export interface Range {
  begin: number;
  end: number;
}

export interface PlacedTrack {
  track: Track;
  top: number;
  height: number;
  folded: boolean;
}

export const placeTracks = (tracks: Track[], folded: Set<number>): PlacedTrack[] => {
  let top = 0;
  return tracks.filter((track) => track.count > 0).map((track) => {
    const isFolded = folded.has(track.id);
    const height = HEAD + (isFolded ? ROW : Math.max(track.depth, 1) * ROW) + 6;
    const placed = { track, top, height, folded: isFolded };
    top += height;
    return placed;
  });
};

export const heightOf = (tracks: PlacedTrack[]): number => {
  const last = tracks[tracks.length - 1];
  return last ? last.top + last.height : 0;
};

/** The first place in `begin` that is at or after `at`. */
export const lowerBound = (begin: number[], at: number): number => {
  let [low, high] = [0, begin.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (begin[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The events of a layer that touch a range; they do not overlap each other. */
export const visible = (layer: Layer, range: Range): [number, number] => {
  const first = lowerBound(layer.begin, range.begin);
  const begin = first > 0 && layer.begin[first - 1] + layer.duration[first - 1] > range.begin
    ? first - 1 : first;
  return [begin, lowerBound(layer.begin, range.end)];
};

/** An event of an answer. */
export interface Place {
  layer: Layer;
  index: number;
}

/** The event at a point, in picoseconds and in pixels from the top of the tracks. */
export const eventAt = (
  view: TimelineWindow, tracks: PlacedTrack[], at: number, y: number, slack: number,
): Place | null => {
  const placed = tracks.find((one) => y >= one.top && y < one.top + one.height);
  if (!placed) return null;
  const depth = Math.floor((y - placed.top - HEAD) / ROW);
  for (const layer of view.layers) {
    if (layer.track !== placed.track.id || layer.depth !== depth) continue;
    const first = Math.max(lowerBound(layer.begin, at) - 1, 0);
    for (let index = first; index < Math.min(first + 2, layer.begin.length); ++index)
      if (at >= layer.begin[index] - slack
        && at <= layer.begin[index] + Math.max(layer.duration[index], slack)) return { layer, index };
  }
  return null;
};

/** Moves and scales a range, within the recording and not below 10 pixels of a picosecond. */
export const zoomed = (range: Range, factor: number, around: number, whole: Range): Range => {
  const length = Math.min(Math.max((range.end - range.begin) * factor, 100),
    (whole.end - whole.begin) * 1.02);
  const part = (around - range.begin) / (range.end - range.begin);
  return moved({ begin: around - part * length, end: around + (1 - part) * length }, 0, whole);
};

export const moved = (range: Range, by: number, whole: Range): Range => {
  const length = range.end - range.begin;
  const slack = (whole.end - whole.begin) * 0.01;
  const lowest = whole.begin - slack;
  const begin = Math.min(Math.max(range.begin + by, lowest), Math.max(whole.end + slack - length, lowest));
  return { begin, end: begin + length };
};

/** Distances of a ruler: 1, 2 or 5 of a power of ten, about `count` of them. */
export const ticks = (range: Range, count: number): { step: number; first: number } => {
  const rough = (range.end - range.begin) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => power * factor >= rough) ?? 10);
  return { step, first: Math.ceil(range.begin / step) * step };
};

/** The name of an event; events of several names, merged into one, have -1. */
export const nameOf = (view: TimelineWindow, layer: Layer, index: number): string =>
  view.names[layer.name[index]] ?? 'several names';
