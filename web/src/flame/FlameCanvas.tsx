/** Draws the boxes of a tree, and finds the one under the pointer. */
import { useEffect, useRef } from 'preact/hooks';
import { colorNumber, colorsOfNames } from '../format/heat';
import type { Flame } from '../source/answers';
import { isDark, palette } from '../state/store';
import type { Box } from './layout';

const ROW = 22;
const TEXT = '#16191d';

interface FlameCanvasProps {
  flame: Flame;
  boxes: Box[];
  width: number;
  height: number;
  up: boolean;
  found: string;
  chosen: number;
  onOver: (node: number | null) => void;
  onChoose: (node: number | null) => void;
}

const drawBoxes = (context: CanvasRenderingContext2D, props: FlameCanvasProps, faint: string) => {
  const { flame, width, height, up } = props;
  const colors = colorsOfNames(palette.peek());
  const wanted = props.found.toLowerCase();
  const letter = context.measureText('transformer/layer').width / 17;
  for (const box of props.boxes) {
    const size = box.size * width;
    if (size < 0.5) continue;
    const { name } = flame.nodes[box.node];
    const y = up ? height - (box.depth + 1) * ROW : box.depth * ROW;
    const fits = !wanted || name.toLowerCase().includes(wanted);
    context.fillStyle = fits ? colors[colorNumber(name)] : faint;
    context.fillRect(box.begin * width, y, Math.max(size - 1, 0.5), ROW - 1);
    const letters = Math.floor((size - 10) / letter);
    if (letters < 3) continue;
    context.fillStyle = TEXT;
    context.fillText(name.length <= letters ? name : `${name.slice(0, letters - 1)}…`,
      box.begin * width + 5, y + 15);
  }
};

export const FlameCanvas = (props: FlameCanvasProps) => {
  const { boxes, width, height, up, flame } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = isDark.value;
  const colors = palette.value;
  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext('2d')!;
    element.width = width * devicePixelRatio;
    element.height = height * devicePixelRatio;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = '12px system-ui, sans-serif';
    drawBoxes(context, props, getComputedStyle(element).getPropertyValue('--line'));
  }, [boxes, width, height, up, props.found, dark, colors]);
  const at = (event: MouseEvent): number | null => {
    const depth = Math.floor((up ? height - event.offsetY : event.offsetY) / ROW);
    const x = event.offsetX / width;
    return boxes.find((box) => box.depth === depth && x >= box.begin && x < box.begin + box.size)?.node ?? null;
  };
  /** Arrows go to a parent, the largest child, and siblings. */
  const pressed = (event: KeyboardEvent) => {
    const { chosen } = props;
    const parent = chosen >= 0 ? flame.nodes[chosen].parent : null;
    const siblings = boxes.filter((box) => flame.nodes[box.node].parent === parent).map((box) => box.node);
    const children = boxes.filter((box) => flame.nodes[box.node].parent === (chosen >= 0 ? chosen : null));
    const moves: Record<string, number | null | undefined> = {
      ArrowDown: up ? parent : children[0]?.node,
      ArrowUp: up ? children[0]?.node : parent,
      ArrowRight: siblings[siblings.indexOf(chosen) + 1],
      ArrowLeft: siblings[siblings.indexOf(chosen) - 1],
      0: null,
      Escape: null,
    };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (moves[event.key] !== undefined) props.onChoose(moves[event.key]!);
  };
  return <canvas ref={canvas} tabIndex={0} role="application" class="boxes"
    style={{ width: `${width}px`, height: `${height}px` }}
    aria-label="Boxes of time. Arrows go to the part, the whole and their neighbors; 0 shows all."
    onPointerMove={(event) => props.onOver(at(event))} onPointerLeave={() => props.onOver(null)}
    onClick={(event) => props.onChoose(at(event))} onKeyDown={pressed} />;
};
