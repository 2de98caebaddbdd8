/** Colors that stand for shares of time, and colors that tell names apart. */

export type PaletteName = 'heat' | 'viridis' | 'cividis';

type Color = [number, number, number];

/** From little to much on a light ground; all but the first are safe for color blindness. */
const STOPS: Record<PaletteName, Color[]> = {
  heat: [[254, 224, 144], [253, 174, 97], [244, 109, 67], [215, 48, 39], [150, 0, 38]],
  viridis: [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]],
  cividis: [[254, 232, 56], [188, 175, 111], [124, 123, 120], [64, 77, 107], [0, 34, 78]],
};

export const PALETTES = Object.keys(STOPS) as PaletteName[];

/**
 * The color of a share between 0 and 1, by its square root: small shares stay apart. The
 * largest share differs most from the ground, which is dark or light.
 */
export const heat = (share: number, palette: PaletteName, dark: boolean): string => {
  const stops = dark ? [...STOPS[palette]].reverse() : STOPS[palette];
  const place = Math.sqrt(Math.min(Math.max(share, 0), 1)) * (stops.length - 1);
  const first = Math.min(Math.floor(place), stops.length - 2);
  const part = place - first;
  const mixed = stops[first].map((value, index) =>
    Math.round(value + (stops[first + 1][index] - value) * part));
  return `rgb(${mixed.join(',')})`;
};

/** Okabe and Ito's colors, lightened so that dark text can be read on them. */
const NAMES: Record<PaletteName, string[]> = {
  heat: ['#8ab8e6', '#f2b880', '#9fd3a8', '#e59a9a', '#c3b1e1', '#d8c98f', '#8fd0cf', '#e3a9cf'],
  viridis: ['#7cc4ee', '#f0b93a', '#4fc3a1', '#f4ee8a', '#6fa8dc', '#ec9a63', '#dfa6c8', '#b8bcc2'],
  cividis: ['#8fb0d9', '#f0d95c', '#a8adb3', '#d6c27a', '#6f8fbf', '#c7c9cc', '#b5a663', '#dfe3ea'],
};

/** A number of a name that is the same in all runs. */
const numberOf = (name: string): number => {
  let hash = 2166136261;
  for (let place = 0; place < name.length; ++place)
    hash = Math.imul(hash ^ name.charCodeAt(place), 16777619);
  return hash >>> 0;
};

const COLORS_OF_NAMES = 8;
export const colorNumber = (name: string): number =>
  numberOf(name.replace(/[.\d+x]+$/, '')) % COLORS_OF_NAMES;
export const colorsOfNames = (palette: PaletteName): string[] => NAMES[palette];
