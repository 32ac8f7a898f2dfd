/** Schedules are no live events: how often they are asked for while the page is looked at. */
export const POLL_MS = 10_000;
