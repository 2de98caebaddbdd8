/** Links between ops of levels, followed through the steps of the lowering. */
import type { Link, Links, ModuleText } from './answers';

/** Ops of `level` and, at the same places, the ops of `to` that they came from. */
export interface Pairs {
  level: string;
  to: string;
  ops: number[];
  origins: number[];
}

type Step = Map<string, string[]>;

const key = (level: string, op: number): string => `${op} ${level}`;

const add = (step: Step, from: string, to: string): void => {
  const known = step.get(from);
  if (known) known.push(to);
  else step.set(from, [to]);
};

interface Steps {
  up: Step;
  down: Step;
}

const cache = new WeakMap<Pairs[], Steps>();

const stepsOf = (pairs: Pairs[]): Steps => {
  const known = cache.get(pairs);
  if (known) return known;
  const steps: Steps = { up: new Map(), down: new Map() };
  for (const part of pairs)
    part.ops.forEach((op, place) => {
      const origin = key(part.to, part.origins[place]);
      add(steps.up, key(part.level, op), origin);
      add(steps.down, origin, key(part.level, op));
    });
  cache.set(pairs, steps);
  return steps;
};

/** All that can be reached from `start` in `step`. */
const reach = (step: Step, start: string): Set<string> => {
  const found = new Set<string>();
  const waiting = [start];
  while (waiting.length)
    for (const next of step.get(waiting.pop()!) ?? [])
      if (!found.has(next)) {
        found.add(next);
        waiting.push(next);
      }
  return found;
};

const placed = (found: Set<string>, text: ModuleText | undefined, level: string): Link[] => {
  const lines = new Map(text?.ops.map((op) => [op.op, op.line]));
  const links: Link[] = [];
  for (const name of found) {
    const [op, at] = [Number.parseInt(name), name.slice(name.indexOf(' ') + 1)];
    const line = lines.get(op);
    if (at === level && line !== undefined) links.push({ level, op, line, share: null });
  }
  return links.sort((one, other) => Number(one.line) - Number(other.line));
};

/** What `op` of `level` came from and what became of it, at the level `to`. */
export const linksOf = (
  pairs: Pairs[], module: (level: string) => unknown, level: string, op: number, to: string,
): Links => {
  const steps = stepsOf(pairs);
  const text = module(to) as ModuleText | undefined;
  const start = key(level, op);
  return {
    from: placed(reach(steps.up, start), text, to),
    became: placed(reach(steps.down, start), text, to),
  };
};

/** The places (from 0) of the lines to which links lead, in order. Not every op has a line. */
export const placesOf = (links: Links): number[] => {
  const places = [...links.from, ...links.became].flatMap(
    (link) => link.line === null ? [] : [link.line - 1]);
  return [...new Set(places)].sort((one, two) => one - two);
};
