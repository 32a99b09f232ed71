import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

const blue: MantineColorsTuple = [
  '#eef4fd',
  '#dbe7f8',
  '#b4cdf1',
  '#8ab1ea',
  '#6799e4',
  '#5089e0',
  '#3b78d6',
  '#2563c4',
  '#1f56ab',
  '#184791',
];

const dark: MantineColorsTuple = [
  '#dfe5ec',
  '#b8c2cd',
  '#93a1b0',
  '#67778a',
  '#3a4857',
  '#2c3845',
  '#222c37',
  '#18202a',
  '#121921',
  '#0c1117',
];

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e3e7ec',
  '#d5dbe2',
  '#c1c9d2',
  '#9aa5b1',
  '#6b7785',
  '#4e5a68',
  '#36414d',
  '#1c242d',
];

/** 14 px text on a grid of 8, one accent colour, and fonts of the system: nothing is loaded. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 7,
  colors: { blue, dark, gray },
  black: '#1c242d',
  fontFamily: "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '8px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs', fw: 500 } },
    TextInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    // Two pixels less than the label by default, which few can read.
    InputWrapper: {
      styles: {
        description: { fontSize: 'var(--mantine-font-size-xs)' },
        error: { fontSize: 'var(--mantine-font-size-xs)' },
      },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, fz: 'xs' } },
    Menu: { defaultProps: { shadow: 'md' } },
    // Their header is no banner of the page.
    Modal: {
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { title: { fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { title: { fontWeight: 600 } },
    },
    Textarea: { defaultProps: { size: 'xs' } },
    // A header in a dialog is not that of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});

/** Colours that mean a state, those of charts, which mean none, and greys with the contrast of WCAG AA in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a6674',
    '--mantine-color-placeholder': '#6b7785',
    '--mantine-color-default-border': '#d9dfe6',
    '--mantine-color-error': '#b42318',
    '--surface-page': '#f5f6f8',
    '--surface-card': '#ffffff',
    '--surface-hover': '#eff2f6',
    '--surface-selected': '#e6effb',
    '--line': '#e3e7ec',
    '--chart-1': '#5b6f9c',
    '--chart-2': '#8a63a8',
    '--chart-3': '#b0765a',
    '--chart-4': '#4f8391',
    '--chart-5': '#9a8f57',
    '--chart-6': '#8e99a6',
    '--state-danger': '#b42318',
    '--state-danger-soft': '#fdecea',
    '--state-warning': '#8a5300',
    '--state-warning-soft': '#fdf1dc',
    '--state-good': '#1a6b3c',
    '--state-good-soft': '#e4f4ea',
    '--state-info': '#1f56ab',
    '--state-info-soft': '#e6effb',
    '--state-neutral': '#4e5a68',
    '--state-neutral-soft': '#eceff3',
  },
  dark: {
    '--mantine-color-dimmed': '#9dabb9',
    '--mantine-color-placeholder': '#8a98a7',
    '--mantine-color-default-border': '#303c49',
    '--mantine-color-error': '#ff9a8f',
    '--mantine-color-anchor': '#7db0f5',
    '--surface-page': '#10161d',
    '--surface-card': '#18202a',
    '--surface-hover': '#1f2934',
    '--surface-selected': '#1c3150',
    '--line': '#28333f',
    '--chart-1': '#8fa3d4',
    '--chart-2': '#b693d1',
    '--chart-3': '#d29a7d',
    '--chart-4': '#76aab8',
    '--chart-5': '#bdb178',
    '--chart-6': '#77838f',
    '--state-danger': '#ff9a8f',
    '--state-danger-soft': '#3d1f1f',
    '--state-warning': '#f3bd62',
    '--state-warning-soft': '#372a14',
    '--state-good': '#6fd197',
    '--state-good-soft': '#16321f',
    '--state-info': '#8fbcf8',
    '--state-info-soft': '#1b2f4d',
    '--state-neutral': '#b8c2cd',
    '--state-neutral-soft': '#252f3a',
  },
});

/** Its key is also read by public/color-scheme.js. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'motorpool-color-scheme' });
