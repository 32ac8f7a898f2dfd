import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './code-blocks.js';
import { declaredOptions } from './declared-options.js';

/** Interfaces that are options of `WorkflowModule`, with what stands before their members. */
const INTERFACES = [
  ['runtime/src/options/runtime-options.ts', 'WorkflowRuntimeOptions', ''],
  ['runtime/src/options/runtime-options.ts', 'CommitStrategyOptions', 'commitStrategies.'],
  ['http/src/module/http-options.ts', 'HttpWorkflowsOptions', 'http.'],
  ['http/src/module/http-options.ts', 'EndpointOpenApiOptions', 'http.openApi.'],
  ['scheduling/src/module/scheduling-options.ts', 'SchedulingOptions', 'scheduling.'],
  ['expressions/src/javascript/javascript-options.ts', 'JavaScriptOptions', 'javascript.'],
  ['expressions/src/liquid/liquid-options.ts', 'LiquidOptions', 'liquid.'],
  ['http/src/module/http-parts.ts', 'HttpWorkflowsExtras', ''],
] as const;

/** The same of what other modules and the stores take. */
const API_INTERFACES = [
  ['api/src/module/api-options.ts', 'WorkflowApiOptions', ''],
  ['api/src/module/api-options.ts', 'WorkflowApiExtras', ''],
  ['api/src/module/api-options.ts', 'ApiAuthenticationOptions', 'authentication.'],
  ['api/src/module/api-options.ts', 'LoginLimits', 'authentication.loginLimits.'],
  ['api/src/module/api-options.ts', 'HubOptions', 'hub.'],
  ['api/src/module/api-options.ts', 'ApiAuditOptions', 'audit.'],
] as const;

type Interface = readonly [file: string, name: string, prefix: string];

/** Tables of options, by the heading or line above them. @param numbers how many numbers and flags a table has, at least */
const TABLES: readonly (readonly [
  what: string,
  page: string,
  after: string,
  of: readonly Interface[],
  numbers: number,
])[] = [
  ['WorkflowModule', 'options.md', '# Options', INTERFACES, 40],
  ['WorkflowApiModule', 'options.md', '## Of the management API', API_INTERFACES, 20],
  ['StudioModule', 'studio.md', '## Mount it', [['studio/src/module/studio-options.ts', 'StudioOptions', '']], 0],
  [
    'TypeOrmPersistence',
    'persistence.md',
    '## Connections',
    [['typeorm/src/connection/settings.ts', 'TypeOrmPersistenceOptions', '']],
    5,
  ],
];

/** The rows of the first table of options below a heading: names with the text of their default. */
function rowsBelow(page: string, heading: string): ReadonlyMap<string, string> {
  const text = readFileSync(path.join(ROOT, 'docs', page), 'utf8');
  const [, below] = text.split(`${heading}\n`);
  const table = /^\| Option\b[^]*?\n(?=\n)/m.exec(below!)![0];
  return new Map([...table.matchAll(/^\| `([\w.]+)` +\| (.*?) +\| \S/gm)].map(([, name, value]) => [name!, value!]));
}

describe.each(TABLES)('the table of options of %s', (_, page, heading, interfaces, numbers) => {
  const options = interfaces.flatMap(([file, name, prefix]) => declaredOptions(file, name, prefix));
  const rows = rowsBelow(page, heading);

  it('has every option, and no other', () => {
    expect([...rows.keys()].toSorted()).toEqual(options.map(({ name }) => name).toSorted());
  });

  it('has the numbers and flags that the types name as defaults', () => {
    const expected = options.flatMap(({ name, default: value }) => {
      const [literal] = /^(true|false|[\d_]+)\b(?! days)/.exec(value ?? '') ?? [];
      return literal === undefined ? [] : [[name, literal.replaceAll('_', '')]];
    });
    expect(expected.length).toBeGreaterThanOrEqual(numbers);
    expect(expected.map(([name]) => [name, /^\w+/.exec(rows.get(name!)?.replaceAll(',', '') ?? '')?.[0]])).toEqual(
      expected,
    );
  });

  it('covers all types that declare defaults', () => {
    expect(options.filter((option) => option.default === undefined)).toEqual([]);
  });
});
