/** A chart of series over one axis, by uPlot. */
import uPlot from 'uplot';
import { useEffect, useRef } from 'preact/hooks';
import { colorsOfNames } from '../format/heat';
import { bytes, byteTicks, time, timeTicks } from '../format/units';
import { isDark, palette } from '../state/store';
import { useSize } from './useSize';

export interface Series {
  label: string;
  values: (number | null)[];
}

export interface PlotProps {
  label: string;
  axis: string;
  x: number[];
  series: Series[];
  format: (value: number) => string;
  formatX?: (value: number) => string;
  height?: number;
  /** The place in `x` that the user chose. */
  chosen?: number | null;
  onChoose?: (place: number) => void;
}

/** Distances of ticks between whole numbers, such as those of steps. */
const WHOLE = [...Array(18).keys()].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/** Distances of ticks between bytes, whose units are powers of two. */
const BINARY = [...Array(50).keys()].map((power) => 2 ** power);

/** The ticks of an axis whose values have a format: one unit for all, where there are units. */
const ticksOf = (format: (value: number) => string) => (_: uPlot, values: number[]): string[] =>
  format === time ? timeTicks(values) : format === bytes ? byteTicks(values) : values.map(format);

const optionsOf = (props: PlotProps, width: number, element: Element): uPlot.Options => {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--${name}`);
  const colors = [color('accent'), ...colorsOfNames(palette.peek())];
  const axis = { stroke: color('muted'), grid: { stroke: color('line'), width: 1 },
    ticks: { stroke: color('line'), width: 1 }, font: '11px system-ui, sans-serif' };
  const formatX = props.formatX ?? String;
  return {
    width,
    height: props.height ?? 220,
    scales: { x: { time: false } },
    legend: { live: true },
    cursor: { drag: { x: true, y: false } },
    axes: [
      { ...axis, values: ticksOf(formatX), space: 70, ...(props.x.every(Number.isInteger) && { incrs: WHOLE }) },
      { ...axis, values: ticksOf(props.format), size: 84, ...(props.format === bytes && { incrs: BINARY }) },
    ],
    series: [
      { label: props.axis, value: (_, value) => (value === null ? '–' : formatX(value)) },
      ...props.series.map((series, place): uPlot.Series => ({
        label: series.label,
        stroke: colors[place % colors.length],
        width: 1.5,
        points: { show: props.x.length < 60, size: 5 },
        value: (_, value) => (value === null ? '–' : props.format(value)),
      })),
    ],
    hooks: {
      draw: [(plot) => {
        if (props.chosen === null || props.chosen === undefined) return;
        const x = plot.valToPos(props.x[props.chosen], 'x', true);
        plot.ctx.fillStyle = color('accent');
        plot.ctx.fillRect(x - 1, plot.bbox.top, 2, plot.bbox.height);
      }],
    },
  };
};

export const Plot = (props: PlotProps) => {
  const { element, width } = useSize<HTMLDivElement>();
  const plot = useRef<uPlot | null>(null);
  const look = `${isDark.value} ${palette.value}`;
  useEffect(() => {
    if (!element.current || width === 0) return undefined;
    const data = [props.x, ...props.series.map((series) => series.values)];
    const made = new uPlot(optionsOf(props, width, element.current), data as uPlot.AlignedData,
      element.current);
    made.over.addEventListener('click', () => {
      const place = made.cursor.idx;
      if (place !== null && place !== undefined) props.onChoose?.(place);
    });
    plot.current = made;
    return () => made.destroy();
  }, [props.x, props.series, props.chosen, width, look]);
  return <div class="plot" ref={element} role="group" aria-label={props.label} />;
};
