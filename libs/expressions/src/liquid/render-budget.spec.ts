import { describe, expect, it, test } from '@jest/globals';
import { Liquid } from 'liquidjs';
import { failureOf, testScope, type TestScopeParts } from '../javascript/test-scope.spec.js';
import { LiquidExpressionHandler } from './liquid-expression-handler.js';
import type { LiquidOptions } from './liquid-options.js';

const render = (value: string, parts: TestScopeParts = {}, options: LiquidOptions = {}): unknown =>
  new LiquidExpressionHandler(options).compile({ type: 'Liquid', value })(testScope(parts));
const codeOf = async (source: string, options: LiquidOptions = {}): Promise<string | undefined> =>
  (await failureOf(() => render(source, {}, options))).code;

/** Doubles a text: it gets 2 ** count times its characters. */
const doubled = (count: number, seed: string): string =>
  `{% assign s = "${seed}" %}{% for i in (1..${count}) %}{% assign s = s | append: s %}{% endfor %}`;
/** A list in a list, each twice. */
const folded = (count: number): string =>
  `{% assign a = "x" | split: "" %}{% for i in (1..${count}) %}{% assign a = "" | split: "" | push: a | push: a %}{% endfor %}`;

describe('the memory limit of a template counts', () => {
  test.each([
    [
      'what is captured',
      `{% capture a %}${'x'.repeat(600)}{% endcapture %}{% capture b %}${'x'.repeat(600)}{% endcapture %}`,
    ],
    ['plain text in loops', `{% for i in (1..20) %}${'x'.repeat(100)}{% endfor %}`],
    ['raw text in loops', `{% for i in (1..20) %}{% raw %}${'x'.repeat(100)}{% endraw %}{% endfor %}`],
    ['rows of tables', `{% tablerow i in (1..50) %}x{% endtablerow %}`],
    ['texts that are read', `${doubled(9, 'a')}{{ s | url_encode | size }}{{ s | slugify | size }}`],
    ['lists that are searched', '{{ (1..400) | find: "x" }}{{ (1..400) | has: "x" }}{{ (1..400) | sum: "x" }}'],
    ['lists as the text that they are', `${folded(9)}{{ a | size }}`],
    ['lists that are read as text, for each of its readings', `${folded(5)}{{ a | handleize | size }}`],
    ['text that is read as a number', `${doubled(9, 'a')}{{ s | plus: s }}{{ 1 | round: s }}`],
    ['lists that are compared', `${folded(6)}{% for i in (1..9) %}{% if a < 1 %}{% endif %}{% endfor %}`],
  ])('%s', async (_, source) => {
    expect(await codeOf(source, { memoryLimit: 1000 })).toBe('WM4002');
    expect(await failureOf(() => render(source, {}, { memoryLimit: 1000 }))).toMatchObject({
      message: expect.stringContaining('option "memoryLimit"'),
    });
    expect(render(source, {}, { memoryLimit: 1_000_000 })).not.toBeNull();
  });

  it('values of variables that are written without filters', async () => {
    const parts = { variables: { X: 'x'.repeat(600) } };
    expect(render('{{Variables.X}}', parts, { memoryLimit: 1000 })).toHaveLength(600);
    expect(await failureOf(() => render('{{Variables.X}}{{Variables.X}}', parts, { memoryLimit: 1000 }))).toMatchObject(
      {
        code: 'WM4002',
      },
    );
  });
});

describe('the time limit of a template holds', () => {
  // Each step is a piece of work of its own; the memory limit is far away.
  test.each([
    '{{ (1..900000) | find: "x", 1 }}',
    '{{ (1..900000) | find_exp: "i", "i == 0" }}',
    '{{ (1..900000) | where_exp: "i", "i == 0" }}',
    '{{ (1..900000) | map: "x" | size }}',
    '{{ (1..900000) | sum: "x" }}',
    '{{ (1..900000) | sum }}',
    '{% assign r = (1..900000) %}{% for i in (1..99999) %}{% if r contains 0 %}{% endif %}{% endfor %}',
  ])('the time limit of a template holds within %s', async (source) =>
    expect(await codeOf(source, { timeoutMs: 20, memoryLimit: 1e9 })).toBe('WM4001'),
  );

  it('the time limit of a template holds while it is parsed, and the next time it is parsed again', async () => {
    const source = '{{1}}'.repeat(19_000);
    const hurried = new LiquidExpressionHandler({ timeoutMs: 1 }).compile({ type: 'Liquid', value: source });
    for (let i = 0; i < 2; i++)
      expect(await failureOf(() => hurried(testScope()))).toMatchObject({ code: 'WM4001', option: 'timeoutMs' });
    expect(render(source, {}, { timeoutMs: 60_000 })).toHaveLength(19_000);
  });
});

it('takes samples of a long text without sorting it at random', () => {
  const variables = { Text: 'ab'.repeat(900_000) };
  const source = '{% assign all = Variables.Text | sample %}{{ all }}';
  const before = process.cpuUsage();
  expect(render(source, { variables }, { timeoutMs: 60_000, memoryLimit: 4_000_000 })).toMatch(/^[ab]$/);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(300);
});

test.each([
  ['{{ "abc" | split: "" | sample: 3 | sort | join: "" }}', 'abc'],
  ['{{ "abc" | split: "" | sample: 9 | size }}{{ "abc" | split: "" | sample: 2 | uniq | size }}', '32'],
  ['{{ "abc" | split: "" | sample: 0 | size }}{{ "abc" | split: "" | sample: -1 | size }}', '02'],
  ['{{ "aaa" | sample }}{{ "aaa" | sample: 2 | join: "" }}{{ 7 | sample }}', 'aaa7'],
  ['[{{ nil | sample | size }}{{ "" | sample }}{{ "" | split: "" | sample }}]', '[0]'],
])('samples: %s', (source, expected) => expect(render(source)).toBe(expected));

it('samples choose each element with equal probability', () => {
  const seen = new Set<unknown>();
  while (seen.size < 6) seen.add(render('{{ "abc" | split: "" | sample: 3 | join: "" }}'));
  expect([...(seen as Set<string>)].sort((left, right) => (left < right ? -1 : 1))).toEqual([
    'abc',
    'acb',
    'bac',
    'bca',
    'cab',
    'cba',
  ]);
});

it('reads each variable once', () => {
  const read: string[] = [];
  const scope = {
    ...testScope(),
    hasVariable: () => true,
    getVariable: (name: string): unknown => {
      read.push(name);
      return { a: 1, b: [2] };
    },
  };
  const handler = new LiquidExpressionHandler();
  const run = (value: string): unknown => handler.compile({ type: 'Liquid', value })(scope);
  expect(run('{{ Variables.X.a }}{{ Variables.X.a }}{{ Variables.Y.a }}')).toBe('111');
  expect(read).toEqual(['X', 'Y']);
  expect(run('{% for i in (1..3) %}{{ Variables.X.b[0] }}{{ Variables.Y.a }}{% endfor %}')).toBe('212121');
  expect(read.filter((name) => name !== 'toLiquid')).toEqual(['X', 'Y', 'X', 'Y']);
});

describe('tags are parsed as by the engine', () => {
  test.each([
    ['{% # a comment %}x', 'x'],
    ['{% # a\n  # b\n\n %}x', 'x'],
    ['{% layout none %}{% block a %}x{% endblock %}y', 'xy'],
    ['{% liquid\n if true\n echo "x"\n endif\n%}', 'x'],
    [`${'{% if true %}'.repeat(90)}x${'{% endif %}'.repeat(90)}`, 'x'],
    ['{% comment %}{% if %}{% endcomment %}x', 'x'],
    // As in Elsa, a comment is any text.
    ['a{% comment %} {{ broken {% endcomment %}b', 'ab'],
    ['a{% comment %}{% raw %}{% endcomment %}b', 'ab'],
    ['a{% comment %}{% broken {% endcomment %}b', 'ab'],
    ['a {%- comment -%} {{ {%- endcomment -%} b', 'ab'],
    ['a{% comment %}{% comment %}{% endcomment %}b', 'ab'],
    ['a{% comment %}{% endcomments %}{%endcomment%}b', 'ab'],
    ['{% comment %}x{% endcomment %}{{ "{% comment %}" }}', '{% comment %}'],
    ['{% raw %}{% comment %}{{ x{% endraw %}', '{% comment %}{{ x'],
  ])('%j', (source, expected) => expect(render(source)).toBe(expected));

  it('tags report why they cannot be parsed, as the engine reports it', () => {
    expect(render('{% # a\n b %}')).toMatch('every line of an inline comment');
    expect(render('{% comment %}{{ x')).toMatch('tag {% comment %} not closed');
    expect(render('{% if true %}'.repeat(200))).toMatch('nested more than 100 levels deep');
  });
});

describe('filters that search and sort do what those of the engine do', () => {
  const variables = {
    List: [{ n: 'b' }, { n: 'A' }, {}, { n: 'a' }, { n: null }, { n: 'C' }],
    Numbers: [10, 1, 2],
    Long: `${'ab'.repeat(30)}c${'ab'.repeat(30)}`,
    Part: 'ab'.repeat(20),
  };
  const engine = new Liquid({ ownPropertyOnly: true });
  test.each([
    '{{ "a,b,,c,," | split: "," | join: "|" }}{{ "abc" | split: "" | join: "|" }}{{ "" | split: "," | size }}',
    '{{ "aXbXc" | remove: "X" }} {{ "aXbXc" | remove_first: "X" }} {{ "aXbXc" | remove_last: "X" }}',
    '{{ "aa" | replace: "a", "$&" }} {{ "aa" | replace_first: "a", "$1" }} {{ "aa" | replace_last: "a", "$" }}',
    '{{ "ab" | replace: "", "-" }} {{ "ab" | replace_first: "", "-" }} {{ "ab" | replace_last: "", "-" }}',
    '{{ nil | replace: "a", "b" }}{{ 101 | remove: 0 }}{{ Variables.Numbers | split: "0" | join: "|" }}',
    '{{ Variables.Long | split: Variables.Part | join: "|" }} {{ Variables.Long | replace: Variables.Part, "|" }}',
    '{{ Variables.Long | replace_first: Variables.Part, "|" }} {{ Variables.Long | replace_last: Variables.Part, "|" }}',
    '{{ Variables.Long | remove_first: Variables.Part }} {{ Variables.Long | remove_last: Variables.Part }}',
    '{{ Variables.List | sort: "n" | map: "n" | join: "," }} {{ Variables.List | sort_natural: "n" | map: "n" | join: "," }}',
    '{{ "b,A,a" | split: "," | sort | join }} {{ "b,A,a" | split: "," | sort_natural | join }}',
    '{{ Variables.Numbers | sort | join }} {{ nil | sort | size }} {{ "x" | sort | first }}',
    '{% if Variables.Long contains Variables.Part %}x{% endif %}{% if Variables.Numbers contains 10 %}y{% endif %}{% if 12 contains 1 %}z{% endif %}',
    '{% if "10" contains 1 %}x{% endif %}{% if Variables.Numbers > 1 %}y{% endif %}{% if "b" > "a" and 2 <= 2 %}z{% endif %}',
  ])('%s', (source) =>
    expect(render(source, { variables })).toBe(engine.parseAndRenderSync(source, { Variables: variables })),
  );
});
