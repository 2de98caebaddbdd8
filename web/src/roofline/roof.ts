/** The points of a roofline, and the peaks that its table implies. */
import type { Table } from '../source/answers';
import { cellsOf, numbersOf } from '../state/table';

export interface Point {
  name: string;
  /** In flop per byte, and flop per second. */
  intensity: number;
  rate: number;
  time: number;
  bound: string;
  /** The rate at which the whole machine computes, and that which the op can reach. */
  peak: number | null;
  attainable: number | null;
}

export const pointsOf = (table: Table): Point[] => {
  const of = (name: string) => numbersOf(table, name);
  const [rates, intensities, times] = [of('flops_per_second'), of('intensity_ppm'), of('time_ps')];
  const [peaks, reachable] = [of('peak_ppm'), of('attainable_ppm')];
  const [ops, places, bounds] = ['op', 'location', 'bound'].map((name) => cellsOf(table, name));
  return table.rows.flatMap((_, row): Point[] => {
    const [rate, intensity] = [rates[row], intensities[row]];
    if (!rate || !intensity) return [];
    const implied = (part: number | null) => (part ? rate / (part / 1e6) : null);
    return [{ name: `${ops[row]} ${places[row] ?? ''}`, intensity: intensity / 1e6, rate,
      time: times[row] ?? 0, bound: String(bounds[row] ?? ''), peak: implied(peaks[row]),
      attainable: implied(reachable[row]) }];
  });
};

export interface Roof {
  /** In flop per second. */
  peak: number | null;
  /** In bytes per second, as the op bound by memory with most time implies. */
  bandwidth: number | null;
}

const median = (values: number[]): number | null =>
  values.length ? values.sort((one, other) => one - other)[values.length >> 1] : null;

/** The peaks in the table: each op's own, rounded to millionths, so the middle one. */
export const roofOf = (points: Point[]): Roof => {
  const peak = median(points.flatMap((point) => point.peak ?? []));
  const bandwidths = points.flatMap((point) =>
    point.attainable && peak && point.attainable < peak * 0.99 ? point.attainable / point.intensity : []);
  return { peak, bandwidth: median(bandwidths) };
};
