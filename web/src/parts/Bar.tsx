/** A bar of a share of time, in the color of its heat. */
import { heat } from '../format/heat';
import { isDark, palette } from '../state/store';

export const Bar = (props: { share: number }) => (
  <span class="bar" aria-hidden="true">
    <span style={{
      width: `${Math.min(Math.max(props.share, 0), 1) * 100}%`,
      background: heat(props.share, palette.value, isDark.value),
    }} />
  </span>
);
