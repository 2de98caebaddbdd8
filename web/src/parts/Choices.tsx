/** The choices that hold for all pages: theme, palette, help. */
import { PALETTES, type PaletteName } from '../format/heat';
import { palette, theme, THEMES } from '../state/store';
import { helpOpen } from './Keys';

const capitalized = (text: string): string => text[0].toUpperCase() + text.slice(1);

const Choice = <Name extends string>(props: {
  label: string; word: string; names: readonly Name[]; value: Name; onChange: (name: Name) => void;
}) => (
  <label class="choice">
    <span class="hidden">{props.label}</span>
    <select aria-label={props.label} value={props.value} title={props.label}
      onChange={(event) => props.onChange(event.currentTarget.value as Name)}>
      {props.names.map((name) => <option key={name} value={name}>{`${capitalized(name)} ${props.word}`}</option>)}
    </select>
  </label>
);

export const Choices = () => (
  <div class="choices">
    <Choice<PaletteName> label="Palette" word="colors" names={PALETTES} value={palette.value}
      onChange={(name) => { palette.value = name; }} />
    <Choice label="Theme" word="theme" names={THEMES} value={theme.value}
      onChange={(name) => { theme.value = name; }} />
    <button type="button" class="plain" aria-label="Keyboard help" title="Keyboard help (?)"
      onClick={() => { helpOpen.value = true; }}>?</button>
  </div>
);
