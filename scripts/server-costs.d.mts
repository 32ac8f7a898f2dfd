import type { Process } from './processes.mjs';

/** @returns looks once more, ends, and answers with the seconds of the processor that browsers took since */
export function countBrowsers(look?: () => readonly Process[]): () => number;
