/** The whole text of a level, which the service answers in parts. */
import type { ModuleText } from '../source/answers';
import { ask, below } from '../state/answer';
import { joined } from './model';

const LINES = 20_000;

export const askModule = async (profile: string, level: string): Promise<ModuleText> => {
  const askPart = (begin: number) => ask<ModuleText>(
    below(profile, `modules/${encodeURIComponent(level)}?begin=${begin}&count=${LINES}`));
  const first = await askPart(0);
  const parts = [Promise.resolve(first)];
  for (let begin = first.lines.length; begin < first.lines_total; begin += LINES)
    parts.push(askPart(begin));
  return joined(await Promise.all(parts));
};
