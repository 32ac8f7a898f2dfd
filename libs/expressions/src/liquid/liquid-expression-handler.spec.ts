import { describe, expect, it, test } from '@jest/globals';
import { failureOf, testScope, type TestScopeParts } from '../javascript/test-scope.spec.js';
import { LiquidExpressionHandler } from './liquid-expression-handler.js';
import type { LiquidOptions } from './liquid-options.js';

const handler = new LiquidExpressionHandler();
const render = (value: unknown, parts?: TestScopeParts, options?: LiquidOptions): unknown =>
  (options ? new LiquidExpressionHandler(options) : handler).compile({ type: 'Liquid', value })(testScope(parts));

describe('a template', () => {
  const parts: TestScopeParts = {
    variables: {
      Name: 'Ann',
      Order: { total: 12.5, items: [{ sku: 'a' }, { sku: 'b' }] },
      When: new Date(Date.UTC(2024, 0, 2, 3, 4, 5)),
      Html: '<b>&amp;</b>',
      Flag: false,
      'with space': 1,
      Map: new Map([['k', 'v']]),
    },
    inputs: { Name: 'input', Only: 'workflow' },
    activityInput: { Name: 'activity' },
  };
  test.each<[string, string]>([
    ['Hello {{ Variables.Name }}', 'Hello Ann'],
    ['{{ Variables.name }}{{ variables.Name }}{{ Nothing.At.All }}', ''],
    ['{{ Variables["with space"] }}', '1'],
    [
      '{{ Variables.Order.total | plus: 1 }} {{ Variables.Order.items.size }} {{ Variables.Order.items[1].sku }}',
      '13.5 2 b',
    ],
    ['{% for i in Variables.Order.items %}{{ forloop.index }}{{ i.sku }}{% endfor %}', '1a2b'],
    ['{% if Variables.Flag %}yes{% else %}no{% endif %}', 'no'],
    ['{{ Variables.Html }}', '<b>&amp;</b>'],
    ['{{ Variables.When | date: "%Y" }}', '2024'],
    ['{{ Variables.When }} {{ Variables.When | json }}', '2024-01-02 03:04:05Z "2024-01-02T03:04:05+00:00"'],
    ['{{ Input.Name }} {{ Input.Only }}', 'activity workflow'],
    ['{{ CorrelationId }}', ''],
    [
      '{{ WorkflowInstanceId }} {{ WorkflowDefinitionId }} {{ WorkflowDefinitionVersionId }} {{ WorkflowDefinitionVersion }}',
      'instance-1 definition-1 version-1 3',
    ],
    ['{{ Variables.Name | base64 }} {{ Variables.Order | base64 | size }}', 'QW5u 64'],
    [
      '{{ Variables.Order | keys | join: "," }} {{ Variables.Map | keys }} {{ Variables.Name | keys | size }}',
      'total,items k 0',
    ],
    ['{{ Variables | keys | first }}', 'Name'],
    [
      '{{ Variables.Order | size }} {{ Variables.Order.items | size }} {{ Variables.Name | size }} {{ 12 | size }}',
      '2 2 3 0',
    ],
    ['{{ "a%20b+c%C3%A9 100% %x" | url_decode }}', 'a b cé 100% %x'],
    ['{{ Variables.Order.items | json }}', '[{"sku":"a"},{"sku":"b"}]'],
    ['{{ Variables.Order.items | map: "sku" | join: "-" | upcase }}', 'A-B'],
    ['{{ Variables.Order }}', '{"total":12.5,"items":[{"sku":"a"},{"sku":"b"}]}'],
    // As the object alone: nothing says less than "[object Object]".
    ['{{ Variables.Order.items }}', '{"sku":"a"}{"sku":"b"}'],
    ['{{ Variables.Order.items | join: ";" }}', '{"sku":"a"};{"sku":"b"}'],
    ['{{ "x" | append: Variables.Order }}', 'x{"total":12.5,"items":[{"sku":"a"},{"sku":"b"}]}'],
    ['{{ Variables.Order.items | append: "." }}', '{"sku":"a"}{"sku":"b"}.'],
    [
      '{% for i in (1..2) %}{% for j in (1..2) %}{{ parentloop.index }}{{ forloop.parentloop.index }}{{ j }} {% endfor %}{{ parentloop }}{% endfor %}',
      '111 112 221 222 ',
    ],
    [
      '{% for i in (1..2) %}{% for j in (1..1) %}{% for k in (1..1) %}{{ parentloop.length }}{{ forloop.parentloop.parentloop.index }}{% endfor %}{% endfor %}{% endfor %}{{ parentloop.index }}',
      '1112',
    ],
    ['{{ "a,b" | split: "," | compact | reverse | join: "" }}', 'ba'],
    ['{{ Variables.Name | unknown_filter: 1 }}', 'Ann'],
    ['{% assign x = 5 %}{{ x | times: 2 }}', '10'],
    ['no tags', 'no tags'],
  ])('%j', (source, expected) => expect(render(source, parts)).toBe(expected));

  it('a template that is blank is null', () => {
    for (const value of [undefined, null, '', ' \n ']) expect(render(value)).toBeNull();
  });

  it('a template that is not valid renders as the message that says why', () => {
    for (const source of ['{{ Variables.Name', '{% if %}', '{% nope %}']) expect(render(source)).toMatch(/line:1/);
  });

  test.each<[string, string, number, number]>([
    ['Hello {{ Variables.Name', 'output "{{ Variables.Name" not closed', 1, 7],
    ['a\nb {% endif %}', 'tag "endif" not found', 2, 3],
  ])('a check of %j names line and column', (value, errorMessage, line, column) => {
    const message = `The Liquid expression is not valid: ${errorMessage} (line ${line}, column ${column}). Correct its text.`;
    expect(handler.check({ type: 'Liquid', value })).toMatchObject({ code: 'WM4004', message, line, column });
  });

  it.each<[string, string]>([
    ['{{ Variable.Name }}', "'Variable' here, so it is rendered as nothing. Did you mean 'Variables'?"],
    [
      '{% if variables.name %}x{% endif %}',
      "'variables' here, so it is rendered as nothing. Did you mean 'Variables'?",
    ],
    ['{{ Inputs.Id | upcase }}', "'Inputs' here, so it is rendered as nothing. Did you mean 'Input'?"],
    ['{{ Configuration.Api.Url }}', "'Configuration' here, so it is rendered as nothing. For settings"],
    ['{% for x in Items %}{{ x }}{% endfor %}', "'Items' here, so it is rendered as nothing. It has Variables, Input,"],
    ['{% for x in Variables.Xs limit: Most %}{{ x }}{% endfor %}', "'Most' here"],
    ['{{ Variables[Key] }}', "'Key' here"],
    ['{{ Variables.A | append: Input[Name] }}', "'Name' here"],
    ['{% for x in (1..End) %}{% endfor %}', "'End' here"],
    ['{% for x in Variables.Xs %}{% endfor %}{{ x }}', "'x' here"],
    ['{% if true %}{% else %}{{ Other }}{% endif %}', "'Other' here"],
    ['{% case Variables.A %}{% when "a" %}{{ Other }}{% endcase %}', "'Other' here"],
  ])('a check of %j names a root that there is not', (value, message) => {
    const fault = handler.check({ type: 'Liquid', value });
    expect(fault).toEqual({ code: 'WM4096', message: expect.stringContaining(`Liquid has no ${message}`) });
  });

  it.each([
    '{{ Variables.Name }} {{ Input.Id }} {{ CorrelationId }} {{ WorkflowDefinitionVersion }}',
    '{% assign x = Variables.A %}{{ x }}',
    '{% capture text %}a{% endcapture %}{{ text }}',
    '{% for item in Variables.Items %}{{ forloop.index }}{{ item.name }}{% for inner in item.list %}{{ inner }}{{ parentloop.index }}{% endfor %}{% endfor %}',
    '{% tablerow x in Variables.Items cols: 2 %}{{ tablerowloop.col }}{{ x }}{% endtablerow %}',
    '{% for x in Variables.Xs %}{% assign last = x %}{% endfor %}{{ last }}',
    '{% increment n %}{{ n }}{% decrement m %}{{ m }}',
    '{% cycle "a", "b" %}{% case Variables.A %}{% when "x" %}{% assign y = 1 %}{{ y }}{% endcase %}',
    "{{ 'partner-key' | secret }}{{ empty }}{{ nil }}{{ true }}{{ blank }}{{ (1..3) | join }}",
    '{% liquid assign z = 1\n echo z %}{% raw %}{{ Whatever }}{% endraw %}{% comment %}{{ Whatever }}{% endcomment %}',
    '{% # {{ Whatever }} %}text',
  ])('a check of %j finds nothing', (value) => {
    expect(handler.check({ type: 'Liquid', value })).toBeUndefined();
  });

  it('is rendered anew for each scope', () => {
    const compiled = handler.compile({ type: 'Liquid', value: '{{ Variables.X }}{{ CorrelationId }}' });
    const scopes = [1, 2].map((X) => Object.assign(testScope({ variables: { X } }), { correlationId: `c${X}` }));
    expect(scopes.map((s) => compiled(s))).toEqual(['1c1', '2c2']);
  });

  it('uses filters of the host', () => {
    expect(
      render(
        '{{ "a" | twice: "!" }}',
        {},
        { filters: { twice: (v, end) => `${String(v)}${String(v)}${String(end)}` } },
      ),
    ).toBe('aa!');
  });

  it('gives filters of the host numbers and texts, however the template counts', () => {
    const filters = {
      money: (value: unknown, rate: unknown) => ((value as number) * (rate as number)).toFixed(2),
      fixed: (value: unknown) => (value as number).toFixed(1),
      day: (value: unknown) => (value as string).slice(0, 10),
    };
    const source = '{{ 4 | times: 2.5 | fixed }} {{ 3 | money: 2.0 }} {{ Variables.When | day }}';
    expect(render(source, parts, { filters })).toBe('10.0 6.00 2024-01-02');
  });

  it('does not change the data of the workflow', () => {
    const variables = { List: [3, 1, 2] };
    expect(
      render('{% assign Variables = 1 %}{% increment List %}{{ Variables.List | sort | join }}', { variables }),
    ).toBe('0');
    expect(variables).toEqual({ List: [3, 1, 2] });
  });
});

describe('filters of the format', () => {
  const clock = { now: () => Date.UTC(2024, 6, 1, 12) };
  const parts: TestScopeParts = {
    variables: { When: new Date(Date.UTC(2024, 0, 2, 3, 4, 5)), Total: 1234.5, List: [1], Order: { a: 1 } },
  };
  test.each<[string, string]>([
    ['{{ Variables.When | format_date: "yyyy-MM-dd" }}', '2024-01-02'],
    ['{{ Variables.When | format_date: "D", "de-DE" }}', 'Dienstag, 2. Januar 2024'],
    ['{{ Variables.When | format_date }}{{ "soon" | format_date: "d" }}{{ nil | format_date: "d" }}', ''],
    [
      '{{ "now" | format_date: "u" }} {{ "now" | date: "%H:%M" }} {{ 0 | format_date: "yyyy" }}',
      '2024-07-01 12:00:00Z 12:00 1970',
    ],
    ['{{ "2024-01-02T03:04:05+02:00" | format_date: "HH zzz" }} {{ "2024-01-02 03:04" | date: "%H" }}', '01 +00:00 03'],
    ['{{ Variables.When | time_zone: "Europe/Vilnius" | format_date: "HH:mm zzz" }}', '05:04 +02:00'],
    ['{{ Variables.When | time_zone: "Eastern Standard Time" | date: "%Y-%m-%d %H:%M %z" }}', '2024-01-01 22:04 -0500'],
    [
      '{{ Variables.When | time_zone: "Asia/Tokyo" }} {{ Variables.When | time_zone: "Nowhere" | date: "%H" }}',
      '2024-01-02 03:04:05Z 03',
    ],
    [
      '{{ Variables.Total | format_number: "N2" }} {{ Variables.Total | format_number: "C", "en-US" }}',
      '1,234.50 $1,234.50',
    ],
    ['{{ "5" | format_number: "000" }}{{ "x" | format_number: "N0" }}{{ 5 | format_number }}', '0050'],
    [
      '{{ "{0:N1} of {1} is {2:P0}|{3,4}|{3,-4}|{{}}" | format_string: 5, "x", 0.5, true }}',
      '5.0 of x is 50 %|True|True|{}',
    ],
    ['{{ "{0:N2} {1:d}" | format_string: 1234.5, Variables.When, culture: "de-DE" }}', '1.234,50 02.01.2024'],
    [
      '{{ Variables.When | date: "%F %T %D %R|%r|%v|%%T" }}',
      '2024-01-02 03:04:05 01/02/24 03:04|03:04:05 AM| 2-Jan-2024|%T',
    ],
    ['{{ "a" | md5 }}', '0cc175b9c0f1b6a831c399e269772661'],
    ['{{ "a" | sha1 }}', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
    [
      '{{ "a" | sha256 }}{{ "" | sha256 }}{{ nil | md5 }}',
      'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
    ],
    ['{{ "OrderNumberXML" | handleize }} {{ "orderNumber" | handle }}', 'order-number-xml order-number'],
    ['{{ "ü?>~" | base64_url_safe_encode }} {{ "w7w_Pn4=" | base64_url_safe_decode }}', 'w7w_Pn4= ü?>~'],
    ['{{ Variables.Order | md5 | size }} {{ Variables.List | sha1 | size }}', '32 40'],
    [
      '{{ "Hello World!" | handleize }} {{ "Order 66" | handle }} {{ "aB1C" | handle }} {{ "" | handle }}',
      'hello-world order66 ab1c ',
    ],
    [
      '{{ "<script>x</script>y<b>z</b>" | strip_html }}|{{ "1 < 2" | strip_html }}|{{ "a > b" | strip_html }}',
      'xyz|1 |a  b',
    ],
    [`{{ "'é' <&> 😀" | escape }} {{ '"q"' | escape }}`, '&#39;&#233;&#39; &lt;&amp;&gt; &#128512; &quot;q&quot;'],
    ['{{ "&lt;b&gt; & &#233; &#xE9; &nope;" | escape_once }}', '&lt;b&gt; &amp; &#233; &#233; &amp;nope;'],
    ['{{ "&copy;&eacute;&Eacute; &euro;&hellip;&apos;" | escape_once }}', '&#169;&#233;&#201; €…&#39;'],
    ['{{ "&COPY;&#0;&#xD800;&#x110000;" | escape_once }}', '&amp;COPY;&amp;#0;&amp;#xD800;&amp;#x110000;'],
    ['{{ 2.0 | json }} {{ 1.5 | times: 2 | json }} {{ 2.5 | json }} {{ 2 | json }}', '2.0 3.0 2.5 2'],
    [
      '{% assign list = "a" | split: "," | push: 2.0 %}{{ list | json }} {{ list | json: true }}',
      '["a",2.0] [\n  "a",\n  2.0\n]',
    ],
    [`{{ "a~b'(c)!* é/" | url_encode }}`, 'a%7Eb%27(c)!*+%C3%A9%2F'],
    ['{{ "abc" | reverse | join: "" }} {{ "a,b" | split: "," | json: true }}', 'cba [\n  "a",\n  "b"\n]'],
    ['{% if Variables.When > "2024-01-01" and Variables.When == Variables.When %}later{% endif %}', 'later'],
    ['{% if "2024-01-01" < Variables.When and "x" != Variables.When %}earlier{% endif %}', 'earlier'],
    [
      '{{ "2024-02-09T13:04:05.678Z" | date: "%c|%x|%X|%Z|%V|%g|%G|%q|%%c" }}',
      'Friday, 09 February 2024 13:04:05|02/09/2024|13:04|+00:00|06|24|2024|%q|%c',
    ],
    [
      '{{ "2024-02-09T13:04:05Z" | date: "%+" }} {{ "2023-01-01" | date: "%G" }}',
      'Fri Feb  9 13:04:05 +00:00 2024 2022',
    ],
    ['{{ "2024-02-09T13:04:05Z" | date }} [{{ "x" | date: "%Y" }}]', '2024-02-09 13:04:05Z []'],
    ['{{ Variables.When.ms }}{{ Variables.When.offset }}', ''],
    ['{{ "2024-02" | date: "%B" }} {{ "2024" | date: "%d.%m.%Y" }}', 'February 01.01.2024'],
    ['{{ "my great-title: a.b, ünd LOUD" | capitalize }}|{{ "" | capitalize }}', 'My Great-Title: A.B, Ünd LOUD|'],
  ])('%s', (source, expected) => expect(render(source, parts, { clock })).toBe(expected));

  test.each<[string, string]>([
    ['{{ 10 | divided_by: 4 }} {{ -7 | divided_by: 2 }} {{ "10" | divided_by: "4" }}', '2 -4 2'],
    ['{{ 10 | divided_by: 4.0 }} {{ 10.5 | divided_by: 2 }} {{ Variables.Total | divided_by: 2 }}', '2.5 5.25 617.25'],
    ['{{ 10 | divided_by: Variables.Four }} {{ 10 | divided_by: 2.5 }} {{ 10 | divided_by: 4 }}', '2 4.0 2'],
    ['{{ 10.0 | divided_by: 4 }} {{ "10.0" | divided_by: 4 }} {{ 8 | divided_by: 4.0 }}', '2.5 2.5 2.0'],
    [
      '{{ 7 | divided_by: -2 }} {{ -7 | divided_by: -2 }} {{ -8 | divided_by: 2 }} {{ 1 | divided_by: 4.000 }}',
      '-4 3 -4 0.25',
    ],
    ['{{ 3.0 }} {{ 1.50 }} {{ 1.0 | times: 2.0 }} {{ 5.5 | plus: 0.5 }} {{ 5 | modulo: 2.0 }}', '3.0 1.5 2.0 6.0 1.0'],
    ['{{ 3.0 | ceil }} {{ 3.2 | floor }} {{ -3.2 | floor }} {{ -3.2 | ceil }} {{ 2.999 | round: 2 }}', '3 3 -4 -3 3.0'],
    ['{% assign x = 4.0 %}{{ x }} {{ 10 | divided_by: x }} {% if x == 4 and x > 3 %}same{% endif %}', '4.0 2.5 same'],
    [
      '{{ 10000000000000000000000 | plus: 1 }} {{ 100 | divided_by: 3.0 }}',
      '10000000000000000000001 33.333333333333333',
    ],
    ['{{ "(5)" | plus: 0 }} {{ "5-" | plus: 0 }} {{ "¤ 5" | plus: 0 }} {{ "(¤1.5)" | plus: 0 }}', '-5 -5 5 -1.5'],
    [
      '{{ "-(5)" | plus: 0 }} {{ "- 5" | plus: 0 }} {{ "(5" | plus: 0 }} {{ "¤¤5" | plus: 0 }} {{ "5e" | plus: 0 }}',
      '0 0 0 0 0',
    ],
    ['{{ 2.5 | times: 2 | default: 1 }} {{ nil | default: 0.00 }}', '5.0 0.0'],
    ['{{ Variables.Tiny }} {{ Variables.Large }}', '0.0000001 1000000000000000000000'],
    [
      '{{ Variables.Tiny | append: "x" }} {{ Variables.Tiny | json }} {{ Variables.Large }}',
      '0.0000001x 1e-7 1000000000000000000000',
    ],
    [
      '{{ "a" | append }}{{ nil | append }}{{ "b" | prepend }}{{ "c" | append: nil }}{{ 2.0 | prepend: Variables.Missing }}',
      'abc2.0',
    ],
    ['{{ 2.5 | times: 2 | append: " EUR" }} {{ 1.50 | prepend: "€" }} {{ "a" | append: 2.0 }}', '5.0 EUR €1.50 a2.0'],
    [
      '{{ 2.0 | escape }} {{ 2.0 | upcase }} {{ 2.0 | url_encode }} {{ 1.50 }} {{ 1.25 | plus: 1.25 }}',
      '2.0 2.0 2.0 1.5 2.5',
    ],
    [
      '{{ "0.1,0.2" | split: "," | sum }} {{ "1.5,1.5" | split: "," | sum }} {{ nil | sum }} {{ 2 | sum }}',
      '0.3 3.0 0 2',
    ],
    ['{% assign l = "" | split: "" | push: 10.0 | push: 9.0 | sort %}{{ l | join: "," }}', '9.0,10.0'],
    [
      `{{ "0.${'3'.repeat(400)}" | round: 2 }} {{ "1e-400" | plus: 1 }} {{ "0.1e-27" | plus: 1 }}`,
      '0.33 1 1.0000000000000000000000000001',
    ],
    ['{{ nil | json }} {{ Variables.Missing | json }} {{ 2.0 | json }}', 'null null 2.0'],
    ['{{ 0.1 | plus: 0.2 }} {{ 1.1 | times: 3 }} {{ 0.3 | minus: 0.1 }} {{ 5 | modulo: 3 }}', '0.3 3.3 0.2 2'],
    ['{{ 1 | divided_by: 3.0 }} {{ 12345678901234567 | plus: 1 }}', '0.333333333333333 12345678901234568'],
    ['{{ 2.5 | round }} {{ 3.5 | round }} {{ -2.5 | round }} {{ 4.6 | round }} {{ "1.6" | round }}', '2 4 -2 5 2'],
    [
      '{{ 1.005 | round: 2 }} {{ 183.357 | round: 2 }} {{ 0.125 | round: 2 }} {{ 1250 | round: -2 }}',
      '1.0 183.36 0.12 1200',
    ],
    ['{{ 1.5 | round: 1000000000 }} {{ 1.5 | round: -1000000000 }} {{ 1.5 | round: nil }}', '1.5 0 2'],
    ['{{ "x" | round }} {{ nil | plus: 1 }} {{ Variables.Missing | minus: 1 }} {{ "a" | times: 2 }}', '0 1 -1 0'],
    [
      '{{ " 4 " | plus: "" }} {{ true | plus: 1 }} {{ Variables.Missing | at_least: 2 }} {{ -7 | modulo: 3 }}',
      '4 2 2 -1',
    ],
    ['{{ 5 | plus }} {{ 5 | minus }} {{ 5 | times }} {{ -1 | at_least }} {{ 5 | at_most }}', '5 5 0 0 0'],
    [
      '{{ "1,234.50" | plus: 1 }} {{ "-1,000" | abs }} {{ "1e3" | plus: 0 }} {{ ".5" | times: 2 }}',
      '1235.5 1000 1000 1.0',
    ],
    ['{{ "0x10" | plus: 0 }} {{ "Infinity" | plus: 1 }} {{ "1e400" | plus: 1 }} {{ "," | plus: 1 }}', '0 1 1 1'],
  ])('filters format numbers: %s', (source, expected) =>
    expect(render(source, { variables: { Total: 1234.5, Four: 4, Tiny: 1e-7, Large: 1e21 } })).toBe(expected),
  );

  // They take a tenth of a second when nothing else runs, and would take far longer than this with the square of the length.
  const patient: LiquidOptions = { timeoutMs: 3_000 };

  it('reads text that is nearly a number in the time of its length', () => {
    const variables = { Blanks: `${' '.repeat(5e5)}x`, Marks: '¤ '.repeat(25e4), Digits: `${'9'.repeat(5e5)}x` };
    const value = '{{ Variables.Blanks | plus: 1 }} {{ Variables.Marks | plus: 1 }} {{ Variables.Digits | plus: 1 }}';
    expect(render(value, { variables }, patient)).toBe('1 1 1');
  });

  it('makes a handle of a long text in the time of its length', () => {
    const variables = { Long: 'Ab'.repeat(6e4) };
    expect(render('{{ Variables.Long | handleize | size }}', { variables }, patient)).toBe(String(18e4 - 1));
  });

  test.each(['{{ nil }}', '{{ null }}', '{{ empty }}', '{{ blank }}', '{{ Variables.Missing }}'])(
    '%s writes nothing',
    (source) => expect(render(`[${source}]`)).toBe('[]'),
  );

  it('filters of the format fail where .NET refuses the format', async () => {
    for (const source of [
      '{{ Variables.When | format_date: "Q" }}',
      '{{ 1 | format_number: "Z" }}',
      '{{ "{1}" | format_string: 5 }}',
      '{{ "{0" | format_string: 5 }}',
      '{{ "{0,9999}" | format_string: 5 }}',
    ])
      expect(await failureOf(() => render(source, parts))).toMatchObject({ code: 'WM4003', line: 1 });
  });

  it.each(['{{ 1 | divided_by: 0 }}', '{{ 1 | modulo: 0 }}', '{{ 1 | divided_by: nil }}'])(
    'filters of the format fail where .NET cannot divide: %s',
    async (source) => expect(await failureOf(() => render(source))).toMatchObject({ code: 'WM4003', line: 1 }),
  );

  it('filters of the format that do not exist pass their value on, or are refused with strictFilters', async () => {
    const source = '{{ "a" | no_such_filter }}';
    expect(render(source)).toBe('a');
    const error = await failureOf(() => render(source, {}, { strictFilters: true }));
    expect(error).toMatchObject({ code: 'WM4004', language: 'Liquid' });
    expect(error.message).toContain('no_such_filter');
    expect(render('{{ "A" | handleize }}', {}, { strictFilters: true })).toBe('a');
  });
});

describe('a template cannot', () => {
  test.each([
    "{% include 'package.json' %}",
    "{% render '/etc/passwd' %}",
    "{% layout '../../package.json' %}",
    '{% include Variables.Path %}',
  ])('a template cannot read files: %s', async (source) => {
    const error = await failureOf(() => render(source, { variables: { Path: '/etc/passwd' } }));
    expect(error).toMatchObject({ code: 'WM4003', language: 'Liquid' });
    expect(error.message).not.toContain('root:');
  });

  test.each([
    '{{ Variables.constructor }}',
    '{{ Variables.__proto__ }}',
    '{{ Variables.X.constructor.name }}',
    '{{ Variables.X.__proto__.constructor }}',
    '{{ Variables.List.constructor }}{{ Variables.List.map }}',
    '{{ Variables.Service.secret }}{{ Variables.Service.run }}',
    '{{ Input.constructor }}{{ constructor }}{{ __proto__ }}{{ toString }}',
    '{{ Variables.scope }}{{ Variables.target }}{{ Variables.liquidMethodMissing }}',
    '{{ Variables | map: "constructor" }}',
    '{{ "a" | map: "constructor" }}',
  ])('a template cannot reach objects of the host: %s', async (source) => {
    let calls = 0;
    class Service {
      secret = 's';
      run = (): string => `called ${++calls}`;
    }
    const result = await Promise.resolve(
      render(source, { variables: { X: { a: 1 }, List: [1], Service: new Service() } }),
    ).catch(String);
    expect(String(result)).not.toMatch(/function|class|called|native|secret|\bs\b/);
    expect(calls).toBe(0);
  });
});

describe('limits', () => {
  test.each<[string, LiquidOptions, string]>([
    ['{% for i in (1..100000000) %}x{% endfor %}', {}, 'WM4002'],
    [
      '{% assign s = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
      {},
      'WM4002',
    ],
    [
      '{% assign f = "{0,1000}" %}{% for i in (1..9) %}{% assign f = f | append: f %}{% endfor %}{% for i in (1..99) %}{{ f | format_string: 1 }}{% endfor %}',
      {},
      'WM4002',
    ],
    [
      '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ i | times: j }}{% endfor %}{% endfor %}',
      { timeoutMs: 50, memoryLimit: 1e9 },
      'WM4001',
    ],
  ])('%j', async (source, options, code) => {
    expect(await failureOf(() => render(source, {}, options))).toMatchObject({ code });
    expect(render('{{ 1 | plus: 1 }}')).toBe('2');
  });

  it('the length of a template', async () => {
    const error = await failureOf(() => render('x'.repeat(20), {}, { maxTemplateLength: 10 }));
    expect(error).toMatchObject({ code: 'WM4008', size: 20, limit: 10, option: 'maxTemplateLength' });
    expect(error.message).toContain('option "maxTemplateLength"');
  });

  it('limits refuse values that they cannot work with', () =>
    expect(() => new LiquidExpressionHandler({ timeoutMs: 0 })).toThrow('Option "timeoutMs"'));
});

it('is described for editors', () => {
  expect(handler.descriptor).toEqual({
    type: 'Liquid',
    displayName: 'Liquid',
    isSerializable: true,
    isBrowsable: true,
    properties: { MonacoLanguage: 'liquid' },
  });
});
