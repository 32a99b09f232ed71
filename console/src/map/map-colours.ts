import type { StateTone } from '../values/state-badge.tsx';

export type Scheme = 'light' | 'dark';

type Colours = {
  water: string;
  land: string;
  urban: string;
  border: string;
  label: string;
  halo: string;
  card: string;
  text: string;
  /** On a colour that means a state. */
  onTone: string;
  tones: Record<StateTone, string>;
};

/** A canvas knows no CSS variables: the colours of the theme, stronger where they are small areas on a map. */
export const mapColours: Record<Scheme, Colours> = {
  light: {
    water: '#d3e0ea',
    land: '#f6f7f8',
    urban: '#e7e9ec',
    border: '#b3bdc8',
    label: '#4e5a68',
    halo: '#ffffff',
    card: '#ffffff',
    text: '#1c242d',
    onTone: '#ffffff',
    tones: {
      danger: '#b42318',
      warning: '#a86200',
      good: '#1f7a45',
      info: '#2563c4',
      neutral: '#5d6977',
    },
  },
  dark: {
    water: '#0c1319',
    land: '#1a222c',
    urban: '#242e39',
    border: '#42505f',
    label: '#a3b0bd',
    halo: '#10161d',
    card: '#18202a',
    text: '#dfe5ec',
    onTone: '#0c1117',
    tones: {
      danger: '#ff9a8f',
      warning: '#f3bd62',
      good: '#6fd197',
      info: '#8fbcf8',
      neutral: '#9dabb9',
    },
  },
};

/** A style without glyphs is written in the fonts of the machine: nothing is loaded. */
export const mapFont = ['Inter', 'system-ui'];
// The weight is taken from the name of the first.
export const mapFontBold = ['Inter Bold', 'system-ui'];
