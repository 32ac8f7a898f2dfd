import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent. No colour of a status is like it. */
const accent: MantineColorsTuple = [
  '#f0effc',
  '#dedcf7',
  '#bab6ef',
  '#948ee6',
  '#746cdf',
  '#6056da',
  '#564bd8',
  '#473dc0',
  '#3f36ac',
  '#342d97',
];

/** What Mantine takes for text, lines and surfaces in dark colours: those of tokens.css. */
const dark: MantineColorsTuple = [
  '#ececf3',
  '#c9c9d4',
  '#a3a3b3',
  '#777786',
  '#45454f',
  '#2d2d39',
  '#1e1e27',
  '#16161d',
  '#131319',
  '#111117',
];

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 5 },
  colors: { accent, dark },
  defaultRadius: 'sm',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Code', 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
});
