/** The whole level as a strip beside its text: where time is, and where the links lead. */
import { useEffect, useRef } from 'preact/hooks';
import { heat } from '../format/heat';
import { isDark, palette } from '../state/store';
import type { Model } from './model';

const WIDTH = 14;

interface StripProps {
  model: Model;
  linked: number[];
  selected: number | null;
  height: number;
  onGo: (line: number) => void;
}

export const Strip = (props: StripProps) => {
  const { model, linked, selected, height } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const colors = palette.value;
  const dark = isDark.value;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || height === 0) return;
    const scale = devicePixelRatio;
    canvas.current!.width = WIDTH * scale;
    canvas.current!.height = height * scale;
    context.scale(scale, scale);
    const one = height / model.lines.length;
    model.lines.forEach((line, place) => {
      if (line.share <= model.largest / 200) return;
      context.fillStyle = heat(line.share / model.largest, colors, dark);
      context.fillRect(0, place * one, WIDTH / 2, Math.max(one, 1.5));
    });
    context.fillStyle = getComputedStyle(canvas.current!).getPropertyValue('--accent');
    const marks = selected === null ? linked : [...linked, selected];
    for (const place of marks) context.fillRect(WIDTH / 2, place * one, WIDTH / 2, Math.max(one, 2));
  }, [model, linked, selected, height, colors, dark]);
  return (
    <canvas ref={canvas} class="strip" aria-hidden="true"
      style={{ width: `${WIDTH}px`, height: `${height}px` }}
      onClick={(event) => props.onGo(event.offsetY / height * model.lines.length)} />
  );
};
