/**
 * For how long the picture moves to where it is wanted: not at all for people who have asked their system for less motion. The style
 * sheet cannot say so, since React Flow moves it by script.
 */
export const durationOf = (ms: number): number =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
