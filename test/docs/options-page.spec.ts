import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
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

const options = INTERFACES.flatMap(([file, name, prefix]) => declaredOptions(file, name, prefix));

const rows = new Map(
  [...readFileSync(path.join(ROOT, 'docs/options.md'), 'utf8').matchAll(/^\| `([\w.]+)` +\| (.*?) +\| \S/gm)].map(
    ([, name, value]) => [name!, value!],
  ),
);

it('has every option of the module, and no other', () => {
  expect([...rows.keys()].toSorted()).toEqual(options.map(({ name }) => name).toSorted());
});

it('has the numbers and flags that the types name as defaults', () => {
  const expected = options.flatMap(({ name, default: value }) => {
    const [literal] = /^(true|false|\d+)\b(?! days)/.exec(value ?? '') ?? [];
    return literal === undefined ? [] : [[name, literal]];
  });
  expect(expected.length).toBeGreaterThan(40);
  expect(expected.map(([name]) => [name, /^\w+/.exec(rows.get(name!) ?? '')?.[0]])).toEqual(expected);
});

it('describes options whose types name a default, each of them', () => {
  expect(options.filter((option) => option.default === undefined)).toEqual([]);
});
