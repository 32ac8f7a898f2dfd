import { createIdGenerator, SystemClock } from '@waymark/runtime/adapter';

/** Ids that begin with the time, as Waymark's do: with random ones, big tables would slow down the ceiling only. */
export const rowId = createIdGenerator(new SystemClock());
