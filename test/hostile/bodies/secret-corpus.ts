import { anonymousRequest, type HostileRequest } from './hostile-request.js';

// Credentials that a body nearly holds, at each of its letters: looking for one of them took the product of both lengths.

const MB = 1_000_000;
const SECRET = `b${'a'.repeat(7000)}`;
const nearly = (length: number): string => `${SECRET.slice(0, -1)}c`.repeat(8) + 'a'.repeat(length);
const TEXT = { 'Content-Type': 'text/plain' };

/** 24 seconds for 9.9 MB. */
export const secretCorpus: readonly HostileRequest[] = ['echo', 'text', 'keep', 'unbound'].flatMap((route) => [
  ...[1, 9.8].map((megabytes) =>
    anonymousRequest(
      `secret: a cookie that ${megabytes} MB nearly hold, to ${route}`,
      `/workflows/${route}`,
      () => nearly(megabytes * MB),
      {
        ...TEXT,
        Cookie: SECRET,
      },
    ),
  ),
  anonymousRequest(
    `secret: a parameter that 1 MB nearly holds, to ${route}`,
    `/workflows/${route}?access_token=${SECRET}`,
    () => nearly(MB),
    TEXT,
  ),
]);
