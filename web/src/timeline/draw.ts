/** Draws a timeline: a strip of boxes, and tracks, arrows and the selection over them. */
import { time } from '../format/units';
import { arrowsOf, drawArrow, type EventAnswer } from './arrows';
import { drawCutNames, FONT, type Boxes } from './boxes';
import { HEAD, heightOf, ROW, RULER, ticks, type PlacedTrack, type Place, type Range } from './scene';
import type { Strip } from './strip';

export interface Picture extends Boxes {
  range: Range;
  width: number;
  height: number;
  top: number;
  selection: Range | null;
  chosen: Place | null;
  /** What is known of the chosen event. */
  known: EventAnswer | null;
}

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

const drawTracks = (context: CanvasRenderingContext2D, strip: Strip, picture: Picture) => {
  const { view, tracks, found, look, range, width, height, top } = picture;
  const boxes = { view, tracks, found, look };
  // The ruler covers the first pixels.
  const shown = { range, top: top - RULER, height, scale: width / (range.end - range.begin) };
  strip.show(context, boxes, shown, heightOf(tracks));
  drawCutNames(context, boxes, shown);
  context.font = FONT;
  for (const track of tracks) drawHead(context, picture, track, width);
};

export const draw = (context: CanvasRenderingContext2D, strip: Strip, picture: Picture): void => {
  const { width, height } = picture;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.save();
  context.beginPath();
  context.rect(0, RULER, width, height);
  context.clip();
  drawTracks(context, strip, picture);
  drawSelection(context, picture);
  drawArrows(context, picture);
  context.restore();
  context.font = FONT;
  drawRuler(context, { ...picture, height: RULER });
};
