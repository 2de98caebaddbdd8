/** Draws a timeline: boxes as pixels, and texts, tracks and the selection over them. */
import { colorNumber } from '../format/heat';
import { time } from '../format/units';
import type { Layer, TimelineWindow } from '../source/answers';
import { arrowsOf, drawArrow, type EventAnswer } from './arrows';
import { pixelOf, type Raster } from './raster';
import { HEAD, nameOf, ROW, RULER, ticks, visible, type PlacedTrack, type Place, type Range } from './scene';

export interface Look {
  text: string;
  muted: string;
  line: string;
  panel: string;
  ground: string;
  accent: string;
  names: string[];
}

export interface Picture {
  view: TimelineWindow;
  tracks: PlacedTrack[];
  range: Range;
  width: number;
  height: number;
  top: number;
  selection: Range | null;
  chosen: Place | null;
  /** What is known of the chosen event. */
  known: EventAnswer | null;
  found: string;
  look: Look;
}

/** Letters as wide as those of most names. */
const SAMPLE = 'ThunkExecutor::Execute';
const EVENT_TEXT = '#16191d';
/** Bars of several events; dark text can be read on it, as on the colors of names. */
const MIXED = pixelOf('#b4bac2');

/** The pixels of each name of an answer; those that are not looked for are faint. */
const colorsOf = (picture: Picture): number[] => {
  const wanted = picture.found.toLowerCase();
  const colors = picture.look.names.map(pixelOf);
  const faint = pixelOf(picture.look.line);
  return picture.view.names.map((name) =>
    wanted && !name.toLowerCase().includes(wanted) ? faint : colors[colorNumber(name)]);
};

const drawRuler = (context: CanvasRenderingContext2D, picture: Picture) => {
  const { range, width, look, height } = picture;
  const scale = width / (range.end - range.begin);
  const { step, first } = ticks(range, width / 130);
  context.fillStyle = look.panel;
  context.fillRect(0, 0, width, RULER);
  for (let at = first; at < range.end; at += step) {
    const x = Math.round((at - range.begin) * scale);
    context.fillStyle = look.line;
    context.fillRect(x, 0, 1, height);
    context.fillStyle = look.muted;
    context.fillText(tickText(at, step), x + 4, 17);
  }
};

/** A point of time with the digits that tell neighbors apart. */
const tickText = (at: number, step: number): string => {
  if (Math.abs(at) < step / 2) return '0';
  const [size, name] = [[1e12, 's'], [1e9, 'ms'], [1e6, 'µs'], [1e3, 'ns'], [1, 'ps']]
    .find(([size]) => Math.abs(at) >= (size as number)) as [number, string];
  const digits = Math.max(0, Math.ceil(Math.log10(size / step)));
  return `${(at / size).toFixed(Math.min(digits, 9)).replace('-', '\u2212')} ${name}`;
};

/** Draws the boxes of one layer, and collects the texts that fit in them. */
const drawLayer = (raster: Raster, picture: Picture, layer: Layer, y: number, colors: number[],
  letter: number, texts: [string, number, number][]) => {
  const { range, width, view } = picture;
  const scale = width / (range.end - range.begin);
  const [first, end] = visible(layer, range);
  for (let index = first; index < end; ++index) {
    const x = Math.max((layer.begin[index] - range.begin) * scale, -1);
    const right = Math.min((layer.begin[index] + layer.duration[index] - range.begin) * scale, width + 1);
    const size = Math.max(right - x, 1);
    raster.box(x, y, size > 3 ? size - 1 : size, ROW - 2, colors[layer.name[index]] ?? MIXED);
    if (size > 30) texts.push([cut(nameOf(view, layer, index), size, letter), x, y]);
  }
};

const cut = (name: string, size: number, letter: number): string => {
  const letters = Math.floor((size - 8) / letter);
  return name.length <= letters ? name : letters > 2 ? `${name.slice(0, letters - 1)}…` : '';
};

const drawTracks = (context: CanvasRenderingContext2D, raster: Raster, picture: Picture) => {
  const { view, tracks, look, width, height, top } = picture;
  const colors = colorsOf(picture);
  raster.clear(pixelOf(look.ground));
  const texts: [string, number, number][] = [];
  const letter = context.measureText(SAMPLE).width / SAMPLE.length;
  const placed = new Map(tracks.map((track) => [track.track.id, track]));
  for (const layer of view.layers) {
    const track = placed.get(layer.track);
    if (!track || (track.folded && layer.depth > 0)) continue;
    const y = RULER + track.top - top + HEAD + layer.depth * ROW;
    if (y > -ROW && y < height) drawLayer(raster, picture, layer, y, colors, letter, texts);
  }
  raster.show(context);
  context.fillStyle = EVENT_TEXT;
  for (const [text, x, y] of texts) context.fillText(text, Math.max(x, 0) + 4, y + 12);
  for (const track of tracks) drawHead(context, picture, track, width);
};

const drawHead = (context: CanvasRenderingContext2D, picture: Picture, placed: PlacedTrack,
  width: number) => {
  const { look, top } = picture;
  const y = RULER + placed.top - top;
  const { track } = placed;
  context.fillStyle = look.line;
  context.fillRect(0, y, width, 1);
  context.fillStyle = look.text;
  const name = [track.process, track.name].filter(Boolean).join(' / ');
  context.fillText(`${placed.folded ? '▸' : '▾'} ${name || `track ${track.id}`}`, 6, y + 15);
};

const drawSelection = (context: CanvasRenderingContext2D, picture: Picture) => {
  const { selection, range, width, height, look, chosen, tracks, top } = picture;
  const scale = width / (range.end - range.begin);
  if (selection) {
    const x = (selection.begin - range.begin) * scale;
    const size = (selection.end - selection.begin) * scale;
    context.globalAlpha = 0.16;
    context.fillStyle = look.accent;
    context.fillRect(x, RULER, size, height);
    context.globalAlpha = 1;
    context.fillStyle = look.text;
    context.fillText(time(selection.end - selection.begin), x + 4, RULER + 14);
  }
  const placed = chosen && tracks.find((track) => track.track.id === chosen.layer.track);
  if (!chosen || !placed) return;
  context.strokeStyle = look.accent;
  context.lineWidth = 2;
  const x = (chosen.layer.begin[chosen.index] - range.begin) * scale;
  context.strokeRect(x, RULER + placed.top - top + HEAD + chosen.layer.depth * ROW,
    Math.max(chosen.layer.duration[chosen.index] * scale, 2), ROW - 2);
};

/** Draws what launched the chosen event, and what it launched. */
const drawArrows = (context: CanvasRenderingContext2D, picture: Picture) => {
  const { known, tracks, range, width, look, top } = picture;
  if (!known) return;
  const scale = width / (range.end - range.begin);
  context.strokeStyle = context.fillStyle = look.accent;
  context.lineWidth = 1.5;
  for (const { from, to } of arrowsOf(known, tracks))
    drawArrow(context, (from.at - range.begin) * scale, RULER + from.y - top,
      (to.at - range.begin) * scale, RULER + to.y - top);
};

export const draw = (context: CanvasRenderingContext2D, raster: Raster, picture: Picture): void => {
  const { width, height } = picture;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.font = '11px system-ui, sans-serif';
  context.save();
  context.beginPath();
  context.rect(0, RULER, width, height);
  context.clip();
  drawTracks(context, raster, picture);
  drawSelection(context, picture);
  drawArrows(context, picture);
  context.restore();
  drawRuler(context, { ...picture, height: RULER });
};
