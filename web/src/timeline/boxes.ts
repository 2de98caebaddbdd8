/** The boxes of a part of the tracks as pixels, and the names that fit in them. */
import { colorNumber } from '../format/heat';
import type { Layer, TimelineWindow } from '../source/answers';
import { pixelOf, type Raster } from './raster';
import { HEAD, nameOf, ROW, visible, type PlacedTrack } from './scene';
import type { Part } from './strip';

export interface Look {
  text: string;
  muted: string;
  line: string;
  panel: string;
  ground: string;
  accent: string;
  names: string[];
}

/** All that boxes depend on, apart from the part that is shown. */
export interface Boxes {
  view: TimelineWindow;
  tracks: PlacedTrack[];
  found: string;
  look: Look;
}

export const FONT = '11px system-ui, sans-serif';
/** Letters as wide as those of most names. */
const SAMPLE = 'ThunkExecutor::Execute';
const EVENT_TEXT = '#16191d';
/** Bars of several events; dark text can be read on it, as on the colors of names. */
const MIXED = '#b4bac2';
/** Narrower boxes do not show a name. */
const NAMED = 30;

/** The color of an event; those that are not looked for are faint. */
const colorOf = ({ view, found, look }: Boxes, name: number): string => {
  const text = view.names[name];
  if (text === undefined) return MIXED;
  return found && !text.toLowerCase().includes(found.toLowerCase()) ? look.line : look.names[colorNumber(text)];
};

const cut = (name: string, size: number, letter: number): string => {
  const letters = Math.floor((size - 8) / letter);
  return name.length <= letters ? name : letters > 2 ? `${name.slice(0, letters - 1)}…` : '';
};

/** The layers that a part shows, and their places in it. */
const layersOf = ({ view, tracks }: Boxes, part: Part): [Layer, number][] => {
  const placed = new Map(tracks.map((track) => [track.track.id, track]));
  return view.layers.flatMap((layer): [Layer, number][] => {
    const track = placed.get(layer.track);
    if (!track || (track.folded && layer.depth > 0)) return [];
    const y = track.top + HEAD + layer.depth * ROW - part.top;
    return y > -ROW && y < part.height ? [[layer, y]] : [];
  });
};

const beginText = (context: CanvasRenderingContext2D): number => {
  context.font = FONT;
  context.fillStyle = EVENT_TEXT;
  return context.measureText(SAMPLE).width / SAMPLE.length;
};

/** Draws the boxes of a part over all of a canvas as wide and high as it. */
export const drawBoxes = (context: CanvasRenderingContext2D, raster: Raster, boxes: Boxes, part: Part): void => {
  const { view, look } = boxes;
  const { range, scale } = part;
  const width = (range.end - range.begin) * scale;
  const colors = view.names.map((_, name) => pixelOf(colorOf(boxes, name)));
  const mixed = pixelOf(MIXED);
  const letter = beginText(context);
  const names: [string, number, number][] = [];
  raster.clear(pixelOf(look.ground));
  for (const [layer, y] of layersOf(boxes, part)) {
    const [first, end] = visible(layer, range);
    for (let index = first; index < end; ++index) {
      const x = Math.max((layer.begin[index] - range.begin) * scale, -1);
      const right = Math.min((layer.begin[index] + layer.duration[index] - range.begin) * scale, width + 1);
      const size = Math.max(right - x, 1);
      raster.box(x, y, size > 3 ? size - 1 : size, ROW - 2, colors[layer.name[index]] ?? mixed);
      if (size > NAMED) names.push([cut(nameOf(view, layer, index), size, letter), Math.max(x, 0), y]);
    }
  }
  raster.show(context);
  for (const [text, x, y] of names) context.fillText(text, x + 4, y + 12);
};

/** Shows the names of boxes that begin before a part at its begin. */
export const drawCutNames = (context: CanvasRenderingContext2D, boxes: Boxes, part: Part): void => {
  const { range, scale } = part;
  const letter = beginText(context);
  for (const [layer, y] of layersOf(boxes, part)) {
    const index = visible(layer, range)[0];
    const right = Math.min(layer.begin[index] + layer.duration[index], range.end);
    const size = (right - range.begin) * scale;
    if (!(layer.begin[index] < range.begin && size > NAMED)) continue;
    context.fillStyle = colorOf(boxes, layer.name[index]);
    context.fillRect(0, y, size - 1, ROW - 2);
    context.fillStyle = EVENT_TEXT;
    context.fillText(cut(nameOf(boxes.view, layer, index), size, letter), 4, y + 12);
  }
};
