/** How often the front page asks for what the server does not tell. Counting many rows costs more than a list. */
export const POLL_MS = 10_000;
