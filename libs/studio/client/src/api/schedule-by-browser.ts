/** Calls once, in that many milliseconds. @returns takes it back */
export type Schedule = (milliseconds: number, callback: () => void) => () => void;

export const scheduleByBrowser: Schedule = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};
