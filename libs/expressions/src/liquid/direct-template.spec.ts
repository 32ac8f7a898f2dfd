import { describe, expect, it, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { amountOf } from '../../../../test/support/depth.js';
import { failureOf, testScope, type TestScope, type TestScopeParts } from '../javascript/test-scope.spec.js';
import { compileDirectTemplate } from './direct-template.js';
import { LiquidExpressionHandler } from './liquid-expression-handler.js';

const parser = new Liquid({ outputEscape: String, templates: {} });
const direct = (source: string, scope: TestScope): string | undefined =>
  compileDirectTemplate(parser.parse(source), 1000)?.(scope);

const handler = new LiquidExpressionHandler();
/** A tag that renders nothing, and makes the engine render all of it. */
const byEngine = (source: string, scope: TestScope): unknown =>
  handler.compile({ type: 'Liquid', value: `${source}{% if false %}{% endif %}` })(scope);

const parts: TestScopeParts = {
  variables: {
    Name: 'Ann',
    Total: 302.5,
    Small: 1e-7,
    Flag: false,
    Nothing: null,
    Order: { id: 7, lines: [{ sku: 'a' }], customer: { name: 'Bob', size: 'XL' }, when: new Date(0), none: null },
    Bad: JSON.parse('{"__proto__": {"a": 1}, "then": 1}') as unknown,
    Service: new (class {
      secret = 's';
    })(),
  },
  inputs: { Name: 'input', Only: 'workflow' },
  activityInput: { Name: 'activity' },
};

describe('a template of text and values', () => {
  test.each([
    'no tags',
    'Dear {{ Variables.Name }}, {{Variables.Total}} and {{ Variables.Small }} {{ Variables.Flag }}',
    '{{ Variables.Nothing }}{{ Variables.Missing }}{{ Variables.Missing.deeper.still }}',
    '{{ Variables.Order.customer.name }}-{{ Variables["Order"].id }}{{ Variables.Order.when }}',
    '{{ Variables.Order.none.x }}',
    '  {{- Variables.Name -}}  x',
    '{{ Input.Name }} {{ Input.Only }}{{ Input.Missing }}',
    '{{ CorrelationId }}{{ WorkflowInstanceId }}{{ WorkflowDefinitionId }}{{ WorkflowDefinitionVersionId }}{{ WorkflowDefinitionVersion }}',
    '{{ Variables.constructor }}{{ Variables.Order.constructor.name }}{{ Variables.toString }}',
    '{{ Variables.Bad.a }}{{ Variables.Bad.then }}{{ Variables.__proto__ }}',
  ])('%s', (source) => {
    const text = direct(source, testScope(parts));
    expect(typeof text).toBe('string');
    expect(text).toBe(byEngine(source, testScope(parts)));
  });

  test.each([
    '{{ Variables.Order }}',
    '{{ Variables.Order.lines }}',
    '{{ Variables }}',
    '{{ Variables.Name | upcase }}',
    '{{ Variables.Name | raw }}',
    '{{ Variables.Order.lines[0].sku }}',
    '{{ Variables.Order.lines.size }}{{ Variables.Order.lines.first }}',
    '{{ Variables.Order.customer.size }}',
    '{{ Variables[Variables.Name] }}',
    '{{ Variables.Name.length }}',
    '{{ Variables.Total.x }}',
    '{{ "text" }}{{ 5 }}{{ true }}',
    '{{ Nothing }}',
    '{{ constructor }}',
    '{{ CorrelationId.x }}',
    '{% if true %}x{% endif %}',
    '{% raw %}{{ x }}{% endraw %}',
  ])('%s is left to the engine', (source) => {
    expect(direct(source, testScope(parts))).toBeUndefined();
  });

  it('reads what the engine would read', () => {
    const name = fc.constantFrom('Name', 'Order', 'a', 'b', 'size', 'length', 'constructor', '__proto__', 'first');
    const path = fc
      .tuple(fc.constantFrom('Variables', 'Input'), fc.array(name, { minLength: 1, maxLength: 3 }))
      .map(([root, names]) => [root, ...names].join('.'));
    const source = fc.array(
      fc.oneof(
        path.map((p) => `{{ ${p} }}`),
        fc.constantFrom(' ', 'x', '{{- " "}}'),
      ),
      { maxLength: 4 },
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string({ maxLength: 3 }),
        fc.double(),
        fc.constantFrom(null, undefined, true, -0, 1e21, new Date(5), 3n),
        fc.array(tie('any'), { maxLength: 2 }),
        fc.dictionary(name, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    const values = fc.dictionary(fc.constantFrom('Name', 'Order', 'a'), value, { maxKeys: 3 });
    let compared = 0;
    fc.assert(
      fc.property(source, values, values, (texts, variables, inputs) => {
        const scope = testScope({ variables, inputs });
        const text = direct(texts.join(''), scope);
        if (text === undefined) return;
        compared++;
        expect(text).toBe(byEngine(texts.join(''), scope) ?? '');
      }),
      { numRuns: amountOf(1000) },
    );
    expect(compared).toBeGreaterThan(amountOf(300));
  });

  it('fails as the engine does when the scope fails', async () => {
    const scope = { ...testScope(), getVariable: () => fail() };
    const value = '{{ Variables.Name }}';
    expect(await failureOf(() => handler.compile({ type: 'Liquid', value })(scope))).toMatchObject({
      code: 'WM4003',
      line: 1,
    });
  });
});

function fail(): never {
  throw new Error('no');
}
