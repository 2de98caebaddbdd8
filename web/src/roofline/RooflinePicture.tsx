/** Draws a roofline on axes by powers of ten. */
import { colorsOfNames } from '../format/heat';
import { time } from '../format/units';
import { palette } from '../state/store';
import type { Point, Roof } from './roof';

const HEIGHT = 340;
const SIDE = { left: 84, right: 16, top: 12, bottom: 40 };

interface Axis {
  low: number;
  high: number;
  at: (value: number) => number;
}

const axisOf = (values: number[], begin: number, end: number): Axis => {
  const low = Math.floor(Math.log10(Math.min(...values)) - 0.2);
  const high = Math.ceil(Math.log10(Math.max(...values)) + 0.2);
  return { low, high, at: (value) => begin + (Math.log10(value) - low) / (high - low) * (end - begin) };
};

const powers = (axis: Axis): number[] =>
  Array.from({ length: axis.high - axis.low + 1 }, (_, place) => axis.low + place);

const NAMES: [number, string][] = [[12, 'T'], [9, 'G'], [6, 'M'], [3, 'k'], [0, '']];
const powerText = (power: number): string => {
  const [base, name] = NAMES.find(([least]) => power >= least) ?? [power, `10^${power} `];
  return `${10 ** (power - base)}\u2009${name}`;
};
const intensityText = (power: number): string => (power < 0 ? (10 ** power).toFixed(-power) : String(10 ** power));

const Ceiling = (props: { roof: Roof; x: Axis; y: Axis }) => {
  const { roof, x, y } = props;
  if (!roof.peak) return null;
  const right = 10 ** x.high;
  const ridge = roof.bandwidth ? Math.min(Math.max(roof.peak / roof.bandwidth, 10 ** x.low), right) : 10 ** x.low;
  const begin = 10 ** x.low;
  const points = [[ridge, roof.peak], [right, roof.peak]];
  if (roof.bandwidth && ridge > begin) points.unshift([begin, Math.max(roof.bandwidth * begin, 10 ** y.low)]);
  return <polyline class="roof" points={points.map(([one, two]) => `${x.at(one)},${y.at(two)}`).join(' ')} />;
};

export const RooflinePicture = (props: { points: Point[]; roof: Roof; width: number }) => {
  const { points, roof, width } = props;
  const x = axisOf(points.map((point) => point.intensity), SIDE.left, width - SIDE.right);
  const y = axisOf([...points.map((point) => point.rate), ...(roof.peak ? [roof.peak] : [])],
    HEIGHT - SIDE.bottom, SIDE.top);
  const bounds = [...new Set(points.map((point) => point.bound))];
  const colors = colorsOfNames(palette.value);
  const most = Math.max(...points.map((point) => point.time));
  return (
    <figure class="roofline">
      <svg width={width} height={HEIGHT} role="img" aria-label="Rate of ops over intensity">
        {powers(x).map((power) => <g key={power}>
          <line class="grid" x1={x.at(10 ** power)} x2={x.at(10 ** power)} y1={SIDE.top} y2={HEIGHT - SIDE.bottom} />
          <text x={x.at(10 ** power)} y={HEIGHT - SIDE.bottom + 16} class="middle">{intensityText(power)}</text></g>)}
        {powers(y).map((power) => <g key={power}>
          <line class="grid" x1={SIDE.left} x2={width - SIDE.right} y1={y.at(10 ** power)} y2={y.at(10 ** power)} />
          <text x={SIDE.left - 6} y={y.at(10 ** power) + 4} class="end">{powerText(power)}flop/s</text></g>)}
        <text x={(SIDE.left + width) / 2} y={HEIGHT - 6} class="middle">flop/byte</text>
        <Ceiling roof={roof} x={x} y={y} />
        {points.map((point, place) => (
          <circle key={place} cx={x.at(point.intensity)} cy={y.at(point.rate)}
            r={4 + 8 * Math.sqrt(point.time / most)}
            style={{ fill: colors[bounds.indexOf(point.bound) % colors.length] }}>
            <title>{`${point.name}\n${time(point.time)}\nbound by ${point.bound || 'an unknown part'}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>{bounds.map((bound, place) => <span key={bound}>
        <i style={{ background: colors[place % colors.length] }} /> {bound || 'bound unknown'}</span>)}
        <span class="muted">Area: time of the op{roof.peak === null && '; the peak of the machine was not measured'}</span>
      </figcaption>
    </figure>
  );
};
