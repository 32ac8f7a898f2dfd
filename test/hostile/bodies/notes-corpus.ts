import { anonymousRequest, apiRequest, type HostileRequest } from './hostile-request.js';

// Values that JSON has and that a state needs a note for (-0, numbers beyond all, names such as `__proto__`), where each note is long or
// far from the root: what a note cost was multiplied by the names and levels around it.

const list = (value: string, count: number): string => `[${Array(count).fill(value).join(',')}]`;
const within = (text: string, levels: number, name: string): string =>
  `${`{"${name}":`.repeat(levels)}${text}${'}'.repeat(levels)}`;

const NOTED: readonly (readonly [name: string, text: () => string])[] = [
  ['29,000 times -0', () => list('-0', 29_000)],
  ['29,000 times 1e999', () => list('1e999', 29_000)],
  ['1,000 times -0 in a name of 1 MB', () => within(list('-0', 1000), 1, 'n'.repeat(1_000_000))],
  ['29,000 times -0 in a name of 900 kB', () => within(list('-0', 29_000), 1, 'n'.repeat(900_000))],
  ['29,000 times -0 in 100 levels', () => within(list('-0', 29_000), 100, 'n')],
  ['29,000 times -0 in 100 levels with names of 8 kB', () => within(list('-0', 29_000), 100, 'n'.repeat(8000))],
  ['14,000 objects with -0 in 100 levels', () => within(list('{"a":-0}', 14_000), 100, 'n')],
  ['9,000 objects with __proto__ in 100 levels', () => within(list('{"__proto__":{"a":-0}}', 9_000), 100, 'n')],
  [
    '9,000 objects with __proto__ in a name of 800 kB',
    () => within(list('{"__proto__":1}', 9_000), 1, 'n'.repeat(800_000)),
  ],
  ['-0 in 900 levels with names of 1 kB', () => within('-0', 900, 'n'.repeat(1000))],
  ['900 levels of __proto__', () => within('-0', 900, '__proto__')],
  ['900 levels around 20,000 -0', () => within(list('-0', 20_000), 900, 'n.')],
];

export const notesCorpus: readonly HostileRequest[] = NOTED.flatMap(([name, text]) => [
  ...['/workflows/echo', '/workflows/keep'].map((path) => anonymousRequest(`${path}: ${name}`, path, text)),
  apiRequest(`notes: ${name} as input`, '/workflow-definitions/keep/dispatch', () => `{"input":{"a":${text()}}}`),
]);
