import type { BenchDatabase, BenchDatabases } from '../databases/databases.js';
import { TEMPLATES } from '../workflows/template.js';
import { IN_MEMORY } from './http-sync.js';

/** What is measured of both builds, in processes of its own. */
export interface Subject {
  readonly name: string;
  /** In `measured/`, without its extension. */
  readonly file: string;
  /** @param who the process: each has its own tables, and on SQLite its own file */
  readonly argument: (who: string) => object;
  /** It is asked by requests over HTTP. */
  readonly isServer?: boolean;
  /** It runs as many at a time as is asked for. */
  readonly isLoop?: boolean;
}

const HTTP = 'measured/http-workflow';
const WAITING = 'measured/suspend-resume';

const alone = (name: string, file: string, argument: object): Subject => ({ name, file, argument: () => argument });

const IN_PROCESS: readonly Subject[] = [
  ...[true, false].flatMap((journal) => {
    const suffix = journal ? 'journal' : 'no journal';
    return [
      alone(`steps, engine, ${suffix}`, 'measured/engine-steps', { journal }),
      alone(`steps, runtime in memory, ${suffix}`, 'measured/runtime-steps', { journal }),
    ];
  }),
  alone('javascript', 'measured/javascript-expression', { sandboxOnly: false }),
  alone('javascript, in the sandbox', 'measured/javascript-expression', { sandboxOnly: true }),
  ...Object.keys(TEMPLATES).map((template) => alone(`liquid, ${template}`, 'measured/liquid-template', { template })),
];

/** Everything that is measured of both builds. */
export function subjectsOf(databases: BenchDatabases): Subject[] {
  return [
    ...IN_MEMORY.map(({ name, argument }): Subject => ({
      ...alone(`http-sync, ${name}`, HTTP, argument),
      isServer: true,
    })),
    ...IN_PROCESS,
    { ...alone('suspend-resume, memory', WAITING, { journal: true }), isLoop: true },
    ...databases.fresh().flatMap((database): Subject[] => [
      { name: `http-sync, ${database.name}`, file: HTTP, argument: on(database, 'http'), isServer: true },
      { name: `suspend-resume, ${database.name}`, file: WAITING, argument: on(database, 'wait'), isLoop: true },
    ]),
  ];
}

/** Tables of its own and, on SQLite, a file of its own: what one has left behind must not slow another one. */
function on({ name, url, prefix }: BenchDatabase, what: string): (who: string) => object {
  return (who) => ({
    url: name === 'sqlite' ? `${url}.${what}${who}` : url,
    prefix: `${prefix}${what}${who}_`,
    journal: true,
  });
}
