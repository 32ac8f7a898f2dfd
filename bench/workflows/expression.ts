/** What is evaluated, in the sandbox of Waymark and in bare QuickJS. */
export const EXPRESSION = "getVariable('x') + 1";
export const X = 41;
/** Evaluations between two looks at the clock: one takes microseconds. */
export const BATCH = 500;
