/** How often schedules are asked for, where the server does not tell of them. */
export const POLL_MS = 10_000;
