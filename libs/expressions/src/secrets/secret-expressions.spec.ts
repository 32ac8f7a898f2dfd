import { beforeAll, describe, expect, it } from '@jest/globals';
import { WaymarkError, type SecretLookup } from '@waymark/core';

import { JavaScriptEvaluator } from '../javascript/javascript-evaluator.js';
import type { JavaScriptOptions } from '../javascript/javascript-options.js';
import { failureOf, testScope } from '../javascript/test-scope.spec.js';
import { LiquidExpressionHandler } from '../liquid/liquid-expression-handler.js';
import { secretsInScript, secretsInTemplate } from './mentioned-secrets.js';

const VALUES: Record<string, string> = { stripe: 'sk-live-12345', 'a.b_c-d': 'dotted-secret', pin: '1234' };

class Unknown extends WaymarkError {
  readonly code = 'WM3040';
}

/** As the host's: it answers at once, or later. */
const lookup = (isLate: boolean): SecretLookup => ({
  find(name) {
    const value = VALUES[name];
    if (value === undefined) throw new Unknown(`There is no secret '${name}'.`);
    return isLate ? Promise.resolve(value) : value;
  },
});

describe.each<[string, boolean, JavaScriptOptions]>([
  ['directly where possible', false, {}],
  ['directly, from a provider that takes its time', true, {}],
  ['in the sandbox alone', false, { sandboxOnly: true }],
  ['in the sandbox alone, from a provider that takes its time', true, { sandboxOnly: true }],
])('secret() in a script evaluated %s', (_way, isLate, options) => {
  let evaluator: JavaScriptEvaluator;
  beforeAll(async () => {
    evaluator = await JavaScriptEvaluator.create({ ...options, secrets: lookup(isLate) });
  });
  const run = (source: string) =>
    evaluator.compile(source)(testScope({ variables: { x: 'stripe' } }), { echo: (text: string) => text });

  it.each([
    [`'Bearer ' + secret('stripe')`, 'Bearer sk-live-12345'],
    ['`Bearer ${secret("stripe")}`', 'Bearer sk-live-12345'],
    ['secret(`a.b_c-d`).length', 13],
    [`({ key: secret( 'stripe' ), list: [secret('a.b_c-d')] })`, { key: 'sk-live-12345', list: ['dotted-secret'] }],
    [`let all = ''; for (const part of [secret('stripe')]) all += part; all`, 'sk-live-12345'],
    [`echo(secret('stripe'))`, 'sk-live-12345'],
    [`'Bearer ' + await getSecret('stripe')`, 'Bearer sk-live-12345'],
    [`getSecret("stripe").then(s => s.length)`, 13],
    [`getVariable('x') === 'stripe' ? 'not asked' : secret('missing')`, 'not asked'],
    [`try { secret('missing') } catch (error) { 'none' }`, 'none'],
  ])('%s', async (source, expected) => {
    expect(await run(source)).toEqual(expected);
  });

  it('getSecret() without a name reads a variable that is called so', async () => {
    const scope = testScope({ variables: { Secret: 'of the workflow' } });
    expect(await evaluator.compile('getSecret()')(scope)).toBe('of the workflow');
    expect((await failureOf(() => evaluator.compile('getSecret()')(testScope()))).message).toContain(
      "'getSecret' is not defined",
    );
  });

  it.each([
    [`secret('missing')`, 'WM3040'],
    [`secret(getVariable('x'))`, 'WM4009'],
    [`const ask = secret; ask('str' + 'ipe')`, 'WM4009'],
    [`secret()`, 'WM4009'],
    [`secret('pin')`, 'WM4010'],
    [`await getSecret('missing')`, 'WM3040'],
    [`await getSecret(getVariable('x'))`, 'WM4009'],
  ])('%s is refused', async (source, code) => {
    const error = await failureOf(() => run(source));
    expect(error.cause).toMatchObject({ code });
    expect(error.message).not.toContain('1234');
  });
});

describe('secret() in scripts', () => {
  it('is not a function where the host has no secrets', async () => {
    const evaluator = await JavaScriptEvaluator.create();
    expect((await failureOf(() => evaluator.compile(`secret('stripe')`)(testScope()))).message).toContain('secret');
  });

  it('returns only the named secret', async () => {
    const evaluator = await JavaScriptEvaluator.create({ secrets: lookup(false) });
    const scope = testScope({ variables: { x: 'a.b_c-d' } });
    expect(evaluator.compile(`secret('stripe')`)(scope)).toBe('sk-live-12345');
    const error = await failureOf(() => evaluator.compile(`secret(getVariable('x'))`)(scope));
    expect(error.cause).toMatchObject({ code: 'WM4009' });
  });

  it('takes a secret that was replaced meanwhile', async () => {
    const evaluator = await JavaScriptEvaluator.create({ secrets: lookup(false) });
    const script = evaluator.compile(`secret('stripe')`);
    const scope = testScope();
    expect(script(scope)).toBe('sk-live-12345');
    VALUES.stripe = 'sk-live-replaced';
    expect(script(scope)).toBe('sk-live-replaced');
    VALUES.stripe = 'sk-live-12345';
  });
});

describe.each([
  ['at once', false],
  ['later', true],
])('the filter secret, where the provider answers %s', (_when, isLate) => {
  const handler = new LiquidExpressionHandler({ secrets: lookup(isLate) });
  const render = (value: string) =>
    handler.compile({ type: 'Liquid', value })(testScope({ variables: { x: 'stripe' } }));

  it.each([
    [`Bearer {{ 'stripe' | secret }}`, 'Bearer sk-live-12345'],
    [`{{ "a.b_c-d" | secret | upcase }}`, 'DOTTED-SECRET'],
    [`{% assign key = 'stripe' | secret %}{{ key }}{{ key }}`, 'sk-live-12345sk-live-12345'],
    [`{% if Variables.x == 'y' %}{{ 'missing' | secret }}{% endif %}nothing`, 'nothing'],
  ])('%s', async (template, expected) => {
    expect(await render(template)).toBe(expected);
  });

  it.each([
    [`{{ 'missing' | secret }}`, 'WM3040'],
    [`{{ Variables.x | secret }}`, 'WM4009'],
    [`{{ 'pin' | secret }}`, 'WM4010'],
  ])('%s is refused', async (template, code) => {
    expect((await failureOf(() => render(template))).code).toBe(code);
  });
});

describe('names in the text', () => {
  it('names in the text are found where they are literal', () => {
    expect(secretsInScript(`secret('a') + secret("b") + secret(c) + secret('a') + mysecret('d')`)).toEqual(['a', 'b']);
    expect(secretsInTemplate(`{{ 'a' | secret }}{{ "b"|secret }}{{ c | secret }}{{ 'd' | secrets }}`)).toEqual([
      'a',
      'b',
    ]);
  });
});
