/**
 * Boxes as pixels. A canvas takes tens of milliseconds for 20,000 rectangles without a
 * GPU; filling their pixels and handing over one image takes two.
 */

/** A color as the bytes of a pixel; `text` is #rrggbb. Other texts are gray. */
export const pixelOf = (text: string): number => {
  const match = /^\s*#([\da-f]{2})([\da-f]{2})([\da-f]{2})\s*$/i.exec(text);
  const [red, green, blue] = match ? match.slice(1).map((part) => Number.parseInt(part, 16)) : [128, 128, 128];
  return (255 * 2 ** 24) + blue * 2 ** 16 + green * 2 ** 8 + red;
};

export class Raster {
  private readonly image: ImageData;
  private readonly pixels: Uint32Array;

  /** `scale` is the number of pixels of the screen in one of CSS. */
  constructor(readonly width: number, readonly height: number, readonly scale: number) {
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  clear(color: number): void {
    this.pixels.fill(color);
  }

  /** Fills a box, in CSS pixels; it has at least one pixel in each direction. */
  box(left: number, top: number, width: number, height: number, color: number): void {
    const { scale, pixels } = this;
    const begin = Math.max(Math.round(left * scale), 0);
    const end = Math.min(Math.max(Math.round((left + width) * scale), begin + 1), this.width);
    const first = Math.max(Math.round(top * scale), 0);
    const last = Math.min(Math.max(Math.round((top + height) * scale), first + 1), this.height);
    if (begin >= end) return;
    for (let row = first; row < last; ++row) {
      const from = row * this.width;
      // A call for each row costs more than the pixels of a narrow box.
      if (end - begin > 16) pixels.fill(color, from + begin, from + end);
      else for (let at = from + begin; at < from + end; ++at) pixels[at] = color;
    }
  }

  show(context: CanvasRenderingContext2D): void {
    context.putImageData(this.image, 0, 0);
  }
}
