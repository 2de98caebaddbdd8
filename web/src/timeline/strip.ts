/**
 * A strip: the boxes of more than is shown, drawn once. While the timeline moves, a frame
 * copies them.
 */
import { drawBoxes, type Boxes } from './boxes';
import { Raster } from './raster';
import type { Range } from './scene';

/** A part of the tracks: of time, and of pixels from the top of the tracks. */
export interface Part {
  range: Range;
  top: number;
  height: number;
  /** Pixels of a picosecond. */
  scale: number;
}

/** A strip goes on for that part of the screen on each side. */
const MARGIN = 0.5;

/** Whether two scales put the ends of a part at the same places, to a half of a pixel. */
const isAlike = (shown: Part, scale: number): boolean =>
  (shown.range.end - shown.range.begin) * Math.abs(shown.scale - scale) < 0.5;

/** Whether a strip has all that a part shows. */
export const covers = (strip: Part, shown: Part): boolean =>
  isAlike(shown, strip.scale)
  && strip.range.begin <= shown.range.begin
  // Less than a pixel may be missing where the scales differ.
  && (strip.range.end - shown.range.end) * strip.scale > -0.5
  && strip.top <= shown.top && strip.top + strip.height >= shown.top + shown.height;

/**
 * The strip to draw for what is shown, of tracks that are `whole` pixels high. While a zoom
 * goes on, each frame needs another one, which is then no larger than what is shown.
 */
export const around = (shown: Part, scaleBefore: number, whole: number): Part => {
  if (!isAlike(shown, scaleBefore)) return shown;
  const { begin, end } = shown.range;
  const margin = MARGIN * (end - begin);
  const top = Math.max(Math.floor(shown.top - MARGIN * shown.height), Math.min(shown.top, 0));
  const shownEnd = shown.top + shown.height;
  const bottom = Math.max(Math.min(Math.ceil(shownEnd + MARGIN * shown.height), whole), shownEnd);
  return { range: { begin: begin - margin, end: end + margin }, top, height: bottom - top, scale: shown.scale };
};

export class Strip {
  private readonly canvas = document.createElement('canvas');
  // The pixels are made here: a canvas of a GPU would have to copy them.
  private readonly context = this.canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
  private raster = new Raster(1, 1, 1);
  private drawn: { boxes: Boxes; part: Part; pixelRatio: number } | null = null;
  private scale = 0;

  /** Shows a part at the top of a canvas, whose transformation is by the pixel ratio. */
  show(context: CanvasRenderingContext2D, boxes: Boxes, shown: Part, whole: number): void {
    const isKept = this.drawn && this.drawn.pixelRatio === devicePixelRatio && covers(this.drawn.part, shown)
      && (Object.keys(boxes) as (keyof Boxes)[]).every((name) => boxes[name] === this.drawn!.boxes[name]);
    if (!isKept) this.draw(boxes, around(shown, this.scale, whole));
    this.scale = shown.scale;
    const { part } = this.drawn!;
    const x = Math.round((shown.range.begin - part.range.begin) * part.scale * devicePixelRatio);
    const y = Math.round((shown.top - part.top) * devicePixelRatio);
    const { width, height } = context.canvas;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, x, y, width, height, 0, 0, width, height);
    context.restore();
  }

  private draw(boxes: Boxes, part: Part): void {
    const { range, height, scale } = part;
    const [wide, high] = [(range.end - range.begin) * scale, height].map((size) => Math.round(size * devicePixelRatio));
    if (this.raster.width !== wide || this.raster.height !== high || this.raster.scale !== devicePixelRatio) {
      this.raster = new Raster(wide, high, devicePixelRatio);
      [this.canvas.width, this.canvas.height] = [wide, high];
    }
    this.context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    drawBoxes(this.context, this.raster, boxes, part);
    this.drawn = { boxes, part, pixelRatio: devicePixelRatio };
  }
}
