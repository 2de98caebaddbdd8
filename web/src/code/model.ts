/** A level's text with what was measured on each line. */
import type { ModuleText, PlacedOp } from '../source/answers';

export interface Line {
  text: string;
  /** The time of the line, in picoseconds, and its share of the hottest level's total. */
  time: number;
  share: number;
}

export interface Model {
  level: string;
  lines: Line[];
  ops: PlacedOp[];
  /** The ops by the line (from 0) on which they begin. */
  opsOfLine: Map<number, PlacedOp[]>;
  opOfNumber: Map<number, PlacedOp>;
  /** The largest share of a line. */
  largest: number;
}

/** One answer of its parts; an op or a line that is in two of them counts once. */
export const joined = (parts: ModuleText[]): ModuleText => ({
  ...parts[0],
  lines: parts.flatMap((part) => part.lines),
  heat: [...new Map(parts.flatMap((part) => part.heat).map((heat) => [heat.line, heat])).values()],
  ops: [...new Map(parts.flatMap((part) => part.ops).map((op) => [op.op, op])).values()],
});

export const modelOf = (answer: ModuleText): Model => {
  const total = answer.heat.reduce((sum, heat) => sum + Number(heat.time_ps), 0);
  const lines = answer.lines.map((text): Line => ({ text, time: 0, share: 0 }));
  for (const heat of answer.heat) {
    const line = lines[heat.line - 1];
    if (!line) continue;
    line.time = Number(heat.time_ps);
    line.share = heat.share > 0 ? heat.share / 1e6 : line.time / total;
  }
  const opsOfLine = new Map<number, PlacedOp[]>();
  for (const op of answer.ops) {
    const known = opsOfLine.get(op.line - 1);
    if (known) known.push(op);
    else opsOfLine.set(op.line - 1, [op]);
  }
  return {
    level: answer.level,
    lines,
    ops: answer.ops,
    opsOfLine,
    opOfNumber: new Map(answer.ops.map((op) => [op.op, op])),
    largest: lines.reduce((largest, line) => Math.max(largest, line.share), 0),
  };
};

/** The op of a line: the one that begins there, else the innermost one around it. */
export const opAt = (model: Model, line: number): PlacedOp | null => {
  const own = model.opsOfLine.get(line);
  if (own) return own.reduce((one, other) => Number(other.time_ps) > Number(one.time_ps) ? other : one);
  const around = model.ops.filter((op) => op.line - 1 < line && line < op.end_line);
  return around.reduce<PlacedOp | null>((one, other) =>
    one === null || other.line > one.line ? other : one, null);
};

/** The places (from 0) of the lines that the user looks for. */
export const find = (model: Model, text: string): number[] => {
  const wanted = text.toLowerCase();
  return wanted === '' ? [] : model.lines.flatMap((line, place) =>
    line.text.toLowerCase().includes(wanted) ? [place] : []);
};

/** The next place after `from` in `places`, in a circle; null if there is none. */
export const nextOf = (places: number[], from: number, step: 1 | -1): number | null => {
  if (places.length === 0) return null;
  if (step > 0) return places.find((place) => place > from) ?? places[0];
  return places.findLast((place) => place < from) ?? places[places.length - 1];
};

/** The line with most time among `places`, or the first one; null if there is none. */
export const hottestOf = (model: Model, places: number[]): number | null =>
  places.reduce<number | null>((hottest, place) =>
    hottest === null || model.lines[place].time > model.lines[hottest].time ? place : hottest, null);

/** The time of all lines of an op and of its regions. */
export const timeInside = (model: Model, op: PlacedOp): number => {
  let sum = 0;
  for (let place = op.line - 1; place < op.end_line; ++place) sum += model.lines[place]?.time ?? 0;
  return sum;
};
