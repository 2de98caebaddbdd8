/** The parts of a line of MLIR or of assembly, for coloring. */

export type PartKind = 'comment' | 'string' | 'value' | 'symbol' | 'type' | 'op' | 'number' | 'plain';

export interface Part {
  kind: PartKind;
  text: string;
}

const PATTERN = new RegExp([
  '(?<comment>//.*)',
  '(?<string>"(?:[^"\\\\]|\\\\.)*")',
  '(?<value>%[\\w$.-]+(?:#\\d+)?)',
  '(?<symbol>[@^#!][\\w$.-]+)',
  '(?<type>\\b(?:tensor|memref|vector|index|none|complex|tuple|[suf]?i\\d+|b?f\\d+\\w*)\\b)',
  '(?<op>\\b[a-z_]\\w*\\.[\\w.]+|\\b(?:module|return|func|call)\\b)',
  '(?<number>\\b0x[\\da-fA-F]+\\b|\\b\\d+(?:\\.\\d+(?:e[+-]?\\d+)?)?\\b)',
].join('|'), 'g');

export const partsOf = (line: string): Part[] => {
  const parts: Part[] = [];
  let end = 0;
  for (const match of line.matchAll(PATTERN)) {
    if (match.index > end) parts.push({ kind: 'plain', text: line.slice(end, match.index) });
    const kind = Object.entries(match.groups!).find(([, text]) => text !== undefined)![0];
    parts.push({ kind: kind as PartKind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) parts.push({ kind: 'plain', text: line.slice(end) });
  return parts;
};
