/** Lengths of time below each other, one after the other where they add up to the last. */
import { time } from '../format/units';

export interface Lane {
  title: string;
  value: number | null;
}

/** Whether the lanes but the last are the parts of the last. */
export const addUp = (lanes: Lane[]): boolean => {
  const parts = lanes.slice(0, -1).reduce((sum, lane) => sum + (lane.value ?? 0), 0);
  return lanes.length > 2 && parts === lanes[lanes.length - 1].value;
};

export const Lanes = (props: { lanes: Lane[] }) => {
  const lanes = props.lanes.filter((lane) => lane.value !== null);
  const follow = addUp(lanes);
  const largest = Math.max(...lanes.map((lane) => lane.value!), 1);
  let begin = 0;
  return (
    <dl class="lanes">
      {lanes.map((lane, place) => {
        const from = follow && place < lanes.length - 1 ? begin : 0;
        begin += lane.value!;
        return [
          <dt>{lane.title}</dt>,
          <dd><span class="lane"><span style={{ marginLeft: `${from / largest * 100}%`,
            width: `${lane.value! / largest * 100}%` }} /></span>
            <span class="numeric">{time(lane.value)}</span></dd>,
        ];
      })}
    </dl>
  );
};
