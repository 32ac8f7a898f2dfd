import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it, test } from '@jest/globals';
import type { ExpressionScope } from '@waymark/core';
import { type JavaScriptOptions } from '@waymark/expressions';
import { JavaScriptEvaluator } from '@waymark/expressions/adapter';
import ts from 'typescript';
import { isThorough } from '../../support/depth.js';
import { describeInTurn } from '../../support/pairs.js';
import { hostileScope } from './hostile-input.js';
import { javaScriptCorpus } from './javascript-corpus.js';

/**
 * Worker threads must change nothing but where a script runs: each text that stands in a specification of JavaScript, and
 * each hostile script, comes to the same value or the same error, and leaves the same variables. Of each file and of the
 * corpus it takes a third (a quick run a fortieth), the same ones each time; with `WAYMARK_SCRIPT_SHARE=0/1` all of them, with
 * `1/3` another third.
 */
const SPECS = path.resolve('libs/expressions/src/javascript');
const PARTS = 4;
const [first, share] = (process.env.WAYMARK_SCRIPT_SHARE ?? (isThorough ? '0/3' : '0/40')).split('/').map(Number) as [
  number,
  number,
];

function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(path.join(SPECS, file), 'utf8'), ts.ScriptTarget.Latest));
  return texts;
}

const files = readdirSync(SPECS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.spec.ts'));
const classes = [...files.map(textsOf), javaScriptCorpus.map(({ source }) => source)];
const all = new Set(classes.flat());
/** At least one of each class, whichever share it is. */
const sampleOf = (texts: readonly string[]): readonly string[] =>
  texts.filter((_, i) => i % share === first % Math.min(share, texts.length));
const scripts = [...new Set(classes.flatMap(sampleOf))];

const LIMITS = ['WM4001', 'WM4002'];
/** What is new each time says nothing; its length does. */
const isRandom = (source: string): boolean => /guid|random|seed/i.test(source);

let ways: Record<'inline' | 'worker', { hurried: JavaScriptEvaluator; patient: JavaScriptEvaluator }>;

const hostOptions: JavaScriptOptions = {
  clock: { now: () => 1_700_000_000_000 },
  globals: [
    { name: 'later', invoke: (_, ms, value) => Promise.resolve(value ?? ms) },
    { name: 'soon', invoke: (_, value) => Promise.resolve(value) },
    { name: 'refuse', invoke: () => Promise.reject(new RangeError('no')) },
    { name: 'never', invoke: () => new Promise(() => {}) },
    { name: 'echo', invoke: (_, ...args) => args },
    { name: 'bigText', invoke: (_, length) => 'x'.repeat(Number(length)) },
    {
      name: 'explode',
      invoke: () => {
        throw Object.assign(new TypeError('secret path'), { password: 'x' });
      },
    },
  ],
};

function scope(): { scope: ExpressionScope; variables: Map<string, unknown> } {
  const variables = new Map<string, unknown>(
    Object.entries({
      X: 41,
      In: { when: new Date(5), list: [1n, NaN, undefined, new Uint8Array([0, 200])], u: undefined },
      User: { name: 'Ann', roles: ['a'] },
      Name: 'Ann',
      Bytes: Buffer.from('hé'),
      When: new Date(1_700_000_000_123),
      Big: 5n,
      half: 'a\0b\u0001c\ud800d',
      lines: [{ sku: 'a', price: 2.5 }],
      Map: new Map([['k', new Set([1])]]),
      Deep: Array.from({ length: 190 }).reduce((deep: unknown) => [deep], null),
      Service: new (class Service {})(),
      Invalid: new Date(NaN),
    }),
  );
  const base = hostileScope();
  return {
    variables,
    scope: {
      ...base,
      getVariable: (name) => variables.get(name) ?? base.getVariable(name),
      setVariable: (name, value) => void variables.set(name, value),
      hasVariable: (name) => variables.has(name) || base.hasVariable(name),
      variableNames: () => [...variables.keys(), ...base.variableNames()],
      getInput: (name) => (name === 'In' ? 'input' : null),
      inputNames: () => ['In'],
      getOutputFrom: () => ({ ok: true }),
      activityOutputs: () => [{ activityName: 'Step1', outputName: 'Result' }],
      args: { item: { id: 9 } },
    },
  };
}

interface Outcome {
  readonly code: string | undefined;
  readonly shown: string;
}

const shown = (value: unknown): string =>
  inspect(value, { depth: null, maxStringLength: null, maxArrayLength: null, sorted: false });

async function outcomeOf(evaluator: JavaScriptEvaluator, source: string): Promise<Outcome> {
  const own = scope();
  const functions = { setOutcome: (name: unknown) => own.variables.set('outcome', name) };
  let code: string | undefined;
  let result: string;
  try {
    result = shown(await evaluator.compile(source)(own.scope, functions));
  } catch (thrown) {
    const error = thrown as Error & { code?: string; cause?: Error & { code?: string } };
    const cause = error.cause && [error.cause.name, error.cause.message, error.cause.code];
    code = error.code;
    // Its members beside those: line, limit, option and so on.
    result = shown([error.name, error.message, Object.entries(error), cause]);
  }
  return {
    code,
    shown: `${result} ${shown(own.variables)} ${shown([own.scope.correlationId, own.scope.instanceName])}`,
  };
}

async function both(source: string, patience: 'hurried' | 'patient'): Promise<[Outcome, Outcome]> {
  return [await outcomeOf(ways.inline[patience], source), await outcomeOf(ways.worker[patience], source)];
}

/** Which of its limits ends a script, and how far it came, depends on the machine. */
function withoutLimits([inline, worker]: [Outcome, Outcome]): [unknown, unknown] {
  const isLimit = ({ code }: Outcome): boolean => code !== undefined && LIMITS.includes(code);
  return isLimit(inline) && isLimit(worker) ? ['limit', 'limit'] : [inline.shown, worker.shown];
}

describeInTurn('a script in a worker thread', () => {
  beforeAll(async () => {
    const create = (sandbox: 'inline' | 'worker', timeoutMs: number): Promise<JavaScriptEvaluator> =>
      JavaScriptEvaluator.create({ ...hostOptions, sandbox, timeoutMs, workers: 1, sandboxOnly: true });
    const both = async (sandbox: 'inline' | 'worker') => ({
      hurried: await create(sandbox, 200),
      patient: await create(sandbox, 60_000),
    });
    ways = { inline: await both('inline'), worker: await both('worker') };
  });
  afterAll(() => Promise.all(Object.values(ways).flatMap((way) => Object.values(way).map((e) => e.close()))));

  it.each(Array.from({ length: PARTS }, (_, i) => i))(
    'does what it does inline, part %i',
    async (part) => {
      for (const source of scripts.filter((text, i) => i % PARTS === part && !isRandom(text))) {
        let [inline, worker] = withoutLimits(await both(source, 'hurried'));
        // A limit of time that ended it on one side alone says nothing: it gets more time.
        if (inline !== worker) [inline, worker] = withoutLimits(await both(source, 'patient'));
        expect({ source: source.slice(0, 300), outcome: worker }).toEqual({
          source: source.slice(0, 300),
          outcome: inline,
        });
      }
    },
    300_000,
  );
});

test('the scripts of the specifications are found', () => {
  expect(all).toContain('for (;;) {}');
  expect(all.size).toBeGreaterThan(800);
  expect(scripts.length).toBeGreaterThanOrEqual(Math.floor(all.size / share));
});

test.each([...files, 'the corpus'].map((name, i) => [name, i] as const))('some scripts are of %s', (_name, i) => {
  const texts = new Set(classes[i]);
  expect(scripts.some((text) => texts.has(text))).toBe(true);
});
