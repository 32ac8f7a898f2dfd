import { describe, expect, it, test } from '@jest/globals';
import { failureOf, testScope } from '../javascript/test-scope.spec.js';
import { LiquidExpressionHandler } from './liquid-expression-handler.js';

const variables = { Name: 'Ann', List: ['a', 'b'], Number: 125, Nothing: null };
const render = (value: string, options = {}): unknown =>
  new LiquidExpressionHandler(options).compile({ type: 'Liquid', value })(testScope({ variables }));

describe('operators that Elsa has beyond the standard', () => {
  test.each<[string, boolean]>([
    ['Variables.Name startswith "A"', true],
    ['Variables.Name startswith "B"', false],
    ['Variables.Name endswith "nn"', true],
    ['Variables.Name endswith "A"', false],
    ['Variables.Name <> "Ann"', false],
    ['Variables.Name<>"Bob"', true],
    ['Variables.Number startswith 12 and Variables.Number endswith "5"', true],
    ['Variables.List startswith "a" and Variables.List endswith "b"', true],
    ['Variables.List startswith "b" or Variables.List endswith "a"', false],
    ['not Variables.Name startswith "B"', true],
    ['Variables.Nothing startswith "a"', false],
    ['Variables.Nothing startswith ""', true],
    ['Variables.Missing <> nil', false],
    ['Variables.Name <> blank', true],
    ['false or Variables.Name startswith "A" and 1 <> 2', true],
  ])('%s is %s', (condition, expected) =>
    expect(render(`{% if ${condition} %}true{% else %}false{% endif %}`)).toBe(String(expected)),
  );

  it('operators of Elsa count what they read', async () => {
    const source =
      '{% for i in (1..99) %}{% if Variables.List startswith "a" or "x" endswith "abcdefghij" %}{% endif %}{% endfor %}';
    expect(await failureOf(() => render(source, { memoryLimit: 500 }))).toMatchObject({ code: 'WM4002' });
  });
});

describe('a loop of which limit and offset leave nothing', () => {
  test.each([
    ['{% for x in Variables.List limit: 0 %}x{% else %}none{% endfor %}', 'none'],
    ['{% for x in Variables.List offset: 2 %}x{% else %}none{% endfor %}', 'none'],
    ['{% for x in Variables.List offset: 1 %}{{ x }}{% else %}none{% endfor %}', 'b'],
    [
      '{% for x in (1..2) %}{% for y in (1..2) limit: 0 %}y{% else %}n{% endfor %}{{ x }}{% else %}none{% endfor %}',
      'n1n2',
    ],
    ['{% for x in (1..2) limit: 0 %}x{% endfor %}', ''],
  ])('renders its else: %s', (source, expected) => expect(render(source)).toBe(expected));
});
