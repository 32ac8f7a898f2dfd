// Functions of JavaScript expressions and filters of Liquid templates, one by one.
import {
  W,
  event,
  forEach,
  fromInput,
  fromVar,
  inputDef,
  js,
  liquid,
  list,
  lit,
  obj,
  out,
  runJs,
  seq,
  setVariable,
  variable,
  workflow,
} from '../lib/build.mjs';

const wf = (t, activities, o) => workflow(t.id(), seq('Seq', activities), o);
const script = (id, code) => W(id, js(code, 'String'));
const template = (id, text) => W(id, liquid(text));

/** A table of expressions and the texts they become, as one workflow. */
const table = (name, build, rows, o = {}) => ({
  name,
  requires: o.requires,
  beyond: o.beyond,
  async run(t) {
    const r = await t.run(
      wf(t, [...(o.before ?? []), ...rows.map(([code], i) => build(`L${i}`, code))], {
        variables: o.variables,
        inputs: o.inputs,
      }),
      o.body ?? {},
    );
    await t.finished(r.instanceId);
    await t.eventually(async () => {
      const lines = await t.lines(r.instanceId);
      const wrong = rows.map(([code, expected], i) => [code, expected, lines[i]]).filter(([, e, a]) => e !== a);
      t.eq(wrong, [], 'expression, expected and written');
    });
  },
});
const scripts = (name, rows, o) => table(name, script, rows, o);

const data = [
  variable('Name', 'String', 'Ann'),
  variable('Total', 'Double', 1234.5),
  variable('Count', 'Int32', 3),
  variable('Flag', 'Boolean', true),
  variable('Nothing', 'Object'),
  variable('Day', 'DateTime', '2024-02-29T10:00:00Z'),
  variable('Words', 'String', ['pear', 'apple', 'fig'], { isArray: true }),
  variable('Order', 'Object', {
    id: 7,
    lines: [
      { sku: 'a', qty: 2 },
      { sku: 'b', qty: 1 },
    ],
    paid: false,
  }),
];
/** A default of type Object stays text: scripts set it. */
const prepared = [runJs('Init', 'setOrder(JSON.parse(getOrder()))')];
const withOrder = (name, build, rows, o = {}) => table(name, build, rows, { ...o, before: prepared, variables: data });

export default {
  group: 'functions',
  description: 'functions of scripts, filters of templates',
  requires: ['javascript'],
  cases: [
    scripts('texts', [
      ['"" + isNullOrEmpty("")', 'true'],
      ['"" + isNullOrEmpty(null)', 'true'],
      ['"" + isNullOrEmpty(" ")', 'false'],
      ['"" + isNullOrWhiteSpace(" \\t\\n")', 'true'],
      ['"" + isNullOrWhiteSpace(null)', 'true'],
      ['"" + isNullOrWhiteSpace("a")', 'false'],
    ]),
    scripts('bytes and base64', [
      ['stringToBase64("héllo")', 'aMOpbGxv'],
      ['stringFromBase64("aMOpbGxv")', 'héllo'],
      ['bytesToString(bytesFromString("héllo"))', 'héllo'],
      ['bytesToBase64(bytesFromString("abc"))', 'YWJj'],
      ['bytesToString(bytesFromBase64("YWJj"))', 'abc'],
      ['"" + bytesFromString("abc").length', '3'],
      ['stringToBase64("")', ''],
    ]),
    scripts('ids', [
      ['"" + /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(newGuidString())', 'true'],
      ['"" + /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(getGuidString())', 'true'],
      ['"" + /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(newGuid().toString())', 'true'],
      ['"" + (newGuidString() !== newGuidString())', 'true'],
      ['"" + /^[A-Za-z0-9]{1,22}$/.test(newShortGuid())', 'true'],
      ['"" + /^[A-Za-z0-9]{1,22}$/.test(getShortGuid())', 'true'],
      ['parseGuid("6F9619FF-8B86-D011-B42D-00C04FC964FF").toString()', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ]),
    {
      name: 'facts of the instance',
      async run(t) {
        const facts = [
          'getWorkflowDefinitionId()',
          'getWorkflowDefinitionVersionId()',
          '"" + getWorkflowDefinitionVersion()',
          'getWorkflowInstanceId()',
          'getCorrelationId()',
        ];
        const d = await t.deploy(
          wf(
            t,
            facts.map((code, i) => script(`L${i}`, code)),
          ),
        );
        const r = await t.execute(d.definitionId, { correlationId: t.id('c') });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, [d.definitionId, d.id, '1', r.instanceId, t.id('c')]);
      },
    },
    scripts(
      'variables',
      [
        ['getVariable("Name")', 'Ann'],
        ['"" + (getVariable("Missing") === null)', 'true'],
        ['"" + (variables.Count + getCount())', '6'],
        ['"" + getWords().map(x => x.length)', '4,5,3'],
        ['setVariable("Name", "Bob"); getName()', 'Bob'],
        ['variables.Name = "Eve"; "assigned"', 'assigned'],
        ['getName()', 'Eve'],
        ['setVariable("Fresh", 5); "declared"', 'declared'],
        ['"" + (getVariable("Fresh") + 1)', '6'],
        ['setCount(41); "" + (getCount() + 1)', '42'],
        ['variables.Words.push("new"); "" + variables.Words.length', '4'],
        ['getWords().join()', 'pear,apple,fig,new'],
        ['getWords().push("lost"); "" + getWords().length', '4'],
      ],
      { variables: data },
    ),
    scripts(
      'inputs',
      [
        ['getInput("Who")', 'Zoe'],
        ['getWho()', 'Zoe'],
        ['"" + (getInput("Missing") === null)', 'true'],
        ['"" + getInput("Age") * 2', '84'],
      ],
      {
        inputs: [inputDef('Who', 'String'), inputDef('Age', 'Int32')],
        body: { input: { Who: 'Zoe', Age: '42' } },
      },
    ),
    scripts('the language', [
      ['implicit = 4; "" + implicit', '4'],
      ['let x; for (const c of "abc") x = c; x', 'c'],
      ['(() => { try { null.x } catch (e) { return e.name } })()', 'TypeError'],
      ['`${[..."ab"].entries().next().value}`', '0,a'],
      ['const { a, ...rest } = { a: 1, b: 2, c: 3 }; JSON.stringify(rest)', '{"b":2,"c":3}'],
      ['"" + (null ?? "d") + ({}).a?.b', 'dundefined'],
      ['class A { #x = 5; get x() { return this.#x } }; "" + new A().x', '5'],
      ['"" + [3, 1, 2].toSorted().at(-1)', '3'],
      ['"" + 2n ** 64n', '18446744073709551616'],
      ['Promise.resolve("later")', 'later'],
      ['(async () => { const a = await Promise.resolve(2); return "" + a * 21; })()', '42'],
      ['"" + [typeof console, typeof fetch, typeof require]', 'undefined,undefined,undefined'],
      ['"a-b-c".replaceAll("-", "").padStart(5, ".")', '..abc'],
      ['new Date(Date.UTC(2024, 1, 29)).toISOString()', '2024-02-29T00:00:00.000Z'],
      ['/(?<y>\\d{4})/.exec("in 2024").groups.y', '2024'],
      ['if (true) { "block" }', 'block'],
      ['function f() { return "hoisted" } f()', 'hoisted'],
      ['return "early"; "late"', 'early'],
    ]),
    scripts('results become text', [
      ['42', '42'],
      ['1.5', '1.5'],
      ['true', 'True'],
      ['false', 'False'],
      ['[1, "a", null]', '[1,"a",null]'],
      ['({ a: { b: [true] } })', '{"a":{"b":[true]}}'],
      ['-0.25', '-0.25'],
      ['12345678901', '12345678901'],
    ]),
    {
      name: 'text that is not base64 faults',
      async run(t) {
        for (const code of ['stringFromBase64("!!")', 'bytesToString(bytesFromBase64("a"))']) {
          const r = await t.run(
            wf(t, [script('L', code)], { options: await t.incident('Fault') }),
            {},
            { expect: 500 },
          );
          t.eq(r.state.incidents.length, 1, `incidents of ${code}`);
        }
      },
    },
    {
      name: 'undefined and null are null',
      async run(t) {
        const r = await t.run(wf(t, [script('A', 'undefined'), script('B', 'null'), W('C', 'end')]));
        await t.finished(r.instanceId);
        for (const id of ['A', 'B'])
          t.eq((await t.recordEventually(r.instanceId, id)).activityState?.Text ?? null, null, id);
      },
    },
    {
      name: 'what activities have put out',
      async run(t) {
        const r = await t.run(
          wf(t, [
            runJs('J1', 'return { x: 5 };', { name: 'First Step' }),
            script('L1', '"" + getLastResult().x'),
            script('L2', '"" + getOutputFrom("J1", "Result").x'),
            script('L3', '"" + (getOutputFrom("J1", "Nope") === null)'),
            script('L4', '"" + getOutputFrom("First Step").x'),
          ]),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['5', '5', 'true', '5']);
      },
    },
    {
      name: 'the output of an activity that there is not faults',
      async run(t) {
        const r = await t.run(
          wf(t, [script('L', '"" + getOutputFrom("Nope")')], { options: await t.incident('Fault') }),
          {},
          { expect: 500 },
        );
        t.eq(r.state.incidents.length, 1, 'incidents');
      },
    },
    {
      name: 'the values of a loop',
      async run(t) {
        await t.runAndExpect(
          wf(t, [
            forEach(
              'Each',
              list(['a', 'b']),
              script(
                'L',
                '`${getCurrentIndex()} ${getCurrentValue()} ${variables.CurrentValue} ${getVariable("CurrentValue")}`',
              ),
            ),
          ]),
          ['0 a a a', '1 b b b'],
        );
      },
    },
    {
      name: 'names of the instance and correlation',
      async run(t) {
        const r = await t.run(
          wf(t, [
            runJs('J', `setWorkflowInstanceName("named"); setCorrelationId("${t.id('k')}")`),
            script('L', '`${getWorkflowInstanceName()} ${getCorrelationId()}`'),
          ]),
        );
        await t.expectLines(r.instanceId, [`named ${t.id('k')}`]);
        t.eq((await t.instance(r.instanceId)).name, 'named', 'name');
      },
    },
    scripts('types of .NET', [
      ['TimeSpan.FromMinutes(90).toString()', '01:30:00'],
      ['"" + TimeSpan.FromMinutes(90).TotalHours', '1.5'],
      ['"" + DateTime.Parse("2024-02-28").AddDays(2).Day', '1'],
      ['DateTime.Parse("2024-02-28T10:00:00").ToString("yyyy-MM-dd HH:mm")', '2024-02-28 10:00'],
      ['"" + new DateTime(2024, 1, 31).AddMonths(1).Day', '29'],
      ['Guid.Empty.toString()', '00000000-0000-0000-0000-000000000000'],
      ['"" + (DateTimeOffset.UtcNow.Year >= 2024)', 'true'],
      [
        '[ExpandoObject, JsonElement, JsonNode, JsonObject].map(t => typeof t).join()',
        Array(4).fill('function').join(),
      ],
      ['const o = new ExpandoObject(); o.Name = "Ann"; o.Name', 'Ann'],
    ]),
    withOrder('Liquid: variables and members', template, [
      ['{{ Variables.Name }}', 'Ann'],
      ['{{ Variables.Order.id }}', '7'],
      ['{{ Variables.Order.lines[1].sku }}', 'b'],
      ['{{ Variables.Order.lines.first.sku }}{{ Variables.Order.lines.last.sku }}', 'ab'],
      ['{{ Variables.Order.lines.size }}', '2'],
      ['{{ Variables["Name"] }}', 'Ann'],
      ['{{ Variables.Missing }}|{{ Variables.Order.nope.deeper }}', '|'],
      ['{{ Variables.Flag }} {{ Variables.Order.paid }}', 'true false'],
      ['{{ Variables.Total }} {{ Variables.Count }}', '1234.5 3'],
      ['{{ WorkflowDefinitionVersion }}', '1'],
    ]),
    withOrder(
      'Liquid: objects as text',
      template,
      [
        ['{{ Variables.Order.lines }}', '{"sku":"a","qty":2}{"sku":"b","qty":1}'],
        ['{{ Variables.Order.lines | join: ";" }}', '{"sku":"a","qty":2};{"sku":"b","qty":1}'],
      ],
      { beyond: 'Elsa writes the names of their types.' },
    ),
    withOrder('Liquid: tags', template, [
      ['{% if Variables.Count > 2 and Variables.Flag %}yes{% else %}no{% endif %}', 'yes'],
      ['{% unless Variables.Order.paid %}open{% endunless %}', 'open'],
      ['{% case Variables.Count %}{% when 1, 2 %}few{% when 3 %}three{% else %}many{% endcase %}', 'three'],
      ['{% for l in Variables.Order.lines %}{{ forloop.index }}:{{ l.sku }}x{{ l.qty }} {% endfor %}', '1:ax2 2:bx1 '],
      ['{% for i in (1..3) %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}', '13'],
      ['{% for i in (1..9) reversed limit: 2 %}{{ i }}{% endfor %}', '21'],
      ['{% for w in Variables.Nothing %}x{% else %}none{% endfor %}', 'none'],
      [
        '{% for i in (1..2) %}{% for j in (1..2) %}{{ parentloop.index }}{{ forloop.index }} {% endfor %}{% endfor %}',
        '11 12 21 22 ',
      ],
      ['{% assign x = "a" | append: "b" %}{{ x }}', 'ab'],
      ['{% capture c %}{{ Variables.Name }}!{% endcapture %}{{ c }}', 'Ann!'],
      ['{% increment n %}{% increment n %}{% decrement m %}', '01-1'],
      ['{% comment %}no{% endcomment %}{% raw %}{{ raw }}{% endraw %}', '{{ raw }}'],
      ['{% cycle "a", "b" %}{% cycle "a", "b" %}', 'ab'],
      ['a {{- "b" -}} c', 'abc'],
      ['{% if Variables.Words contains "fig" %}in{% endif %}', 'in'],
      ['{% if Variables.Nothing == nil %}nil{% endif %}{% if "" == empty %}empty{% endif %}', 'nilempty'],
    ]),
    withOrder('Liquid: filters of texts', template, [
      ['{{ "Hello" | upcase }}{{ "Hello" | downcase }}', 'HELLOhello'],
      ['{{ "my title here" | capitalize }}', 'My Title Here'],
      ['{{ "a" | append: "b" | prepend: "c" }}', 'cab'],
      ['{{ "  a b " | strip }}|{{ " a" | lstrip }}|{{ "a " | rstrip }}', 'a b|a|a'],
      ['{{ "a-b-a" | replace: "a", "x" }}{{ "a-b-a" | replace_first: "a", "x" }}', 'x-b-xx-b-a'],
      ['{{ "a-b-a" | remove: "a" }}{{ "a-b-a" | remove_first: "a" }}{{ "a-b-a" | remove_last: "a" }}', '-b--b-aa-b-'],
      ['{{ "abcdef" | slice: 1, 3 }}{{ "abcdef" | slice: -2, 2 }}{{ "abcdef" | slice: 2 }}', 'bcdefc'],
      ['{{ "The quick brown fox" | truncate: 10 }}', 'The qui...'],
      ['{{ "The quick brown fox" | truncatewords: 2 }}', 'The quick...'],
      ['{{ "<b>x</b>" | strip_html }}{{ "<&>" | escape }}{{ "&lt;&" | escape_once }}', 'x&lt;&amp;&gt;&lt;&amp;'],
      ['{{ "<i>x</i><script>y</script>" | strip_html }} {{ \'"é"\' | escape }}', 'xy &quot;&#233;&quot;'],
      ['{{ "Hello World!" | handleize }} {{ "OrderNumber" | handle }}', 'hello-world order-number'],
      ['{{ "abc" | reverse | join: "" }}', 'cba'],
      ['{{ "a b&c" | url_encode }}{{ "a+b%26c" | url_decode }}', 'a+b%26ca b&c'],
      ['{{ "héllo" | base64 }}', 'aMOpbGxv'],
      ['{{ "héllo" | base64_encode }}{{ "aMOpbGxv" | base64_decode }}', 'aMOpbGxvhéllo'],
      ['{{ "a,b,c" | split: "," | join: "|" }}', 'a|b|c'],
      ['{{ "abc" | size }}', '3'],
      ['{{ nil | default: "d" }}{{ "" | default: "e" }}{{ false | default: "f" }}{{ "x" | default: "g" }}', 'defx'],
    ]),
    withOrder('Liquid: filters of numbers', template, [
      ['{{ 3 | plus: 4 }} {{ 3 | minus: 4 }} {{ 3 | times: 4 }}', '7 -1 12'],
      ['{{ 16 | divided_by: 4 }} {{ 5 | divided_by: 3 }} {{ 20 | divided_by: 7.0 | round: 2 }}', '4 1 2.86'],
      ['{{ 7 | modulo: 3 }} {{ -17 | abs }} {{ 1.2 | ceil }} {{ 1.8 | floor }}', '1 17 2 1'],
      ['{{ 183.357 | round: 2 }} {{ 4.6 | round }} {{ 2.5 | round }} {{ 3.5 | round }}', '183.36 5 2 4'],
      ['{{ 4 | at_least: 5 }} {{ 4 | at_most: 3 }}', '5 3'],
      ['{{ "3.5" | plus: 1 }}', '4.5'],
      [
        '{{ 10.0 | divided_by: 4 }} {{ 8 | divided_by: 4.0 }} {{ 100 | divided_by: 3.0 }}',
        '2.5 2.0 33.333333333333333',
      ],
      ['{{ 3.0 }} {{ 1.50 }} {{ 5.5 | plus: 0.5 }} {{ 3.2 | floor }}', '3.0 1.5 6.0 3'],
      [
        '{{ "(5)" | plus: 0 }} {{ "5-" | plus: 0 }} {{ "1,234.50" | plus: 0 }} {{ "0x10" | plus: 0 }}',
        '-5 -5 1234.5 0',
      ],
      ['{{ 0.1 | plus: 0.2 }}', '0.3'],
      ['{{ Variables.Total | format_number: "N2" }}', '1,234.50'],
    ]),
    withOrder('Liquid: filters of lists', template, [
      ['{{ Variables.Words | join: "," }}', 'pear,apple,fig'],
      ['{{ Variables.Words | sort | join: "," }}', 'apple,fig,pear'],
      ['{{ Variables.Words | reverse | join: "," }}', 'fig,apple,pear'],
      ['{{ Variables.Words | first }}{{ Variables.Words | last }}{{ Variables.Words | size }}', 'pearfig3'],
      ['{{ Variables.Order.lines | map: "sku" | join: "+" }}', 'a+b'],
      ['{{ Variables.Order.lines | where: "sku", "b" | map: "qty" | join: "" }}', '1'],
      ['{{ "a,b,a" | split: "," | uniq | join: "" }}', 'ab'],
      ['{{ "b,A,c" | split: "," | sort_natural | join: "" }}', 'Abc'],
      ['{{ "a,b" | split: "," | concat: Variables.Words | size }}', '5'],
      ['{{ Variables.Order | keys | join: "," }}', 'id,lines,paid'],
      ['{{ Variables.Order.lines | sum: "qty" }}', '3'],
      ['{{ Variables.Missing | json }}', 'null'],
      ['{{ Variables.Order.lines | json }}', '[{"sku":"a","qty":2},{"sku":"b","qty":1}]'],
    ]),
    withOrder('Liquid: dates', template, [
      ['{{ "2024-02-29T13:04:05Z" | date: "%Y-%m-%d %H:%M:%S" }}', '2024-02-29 13:04:05'],
      ['{{ "2024-02-09T13:04:05Z" | date: "%a %A %b %B %d %e %-d %j" }}', 'Fri Friday Feb February 09  9 9 040'],
      ['{{ "2024-02-09T13:04:05Z" | date: "%y %I %p %M %S %%" }}', '24 01 PM 04 05 %'],
      ['{{ "2024-02-09T13:04:05Z" | date: "%F %T %D %R" }}', '2024-02-09 13:04:05 02/09/24 13:04'],
      ['{{ "2024-02-09T13:04:05Z" | date: "%s" }}', '1707483845'],
      ['{{ "2024-02-09T13:04:05Z" | format_date: "dd.MM.yyyy" }}', '09.02.2024'],
      ['{{ "2024-02-09" | date: "%m" }}', '02'],
      [
        '{{ "2024-02-09T13:04:05Z" | date: "%c|%x|%X|%Z" }}',
        'Friday, 09 February 2024 13:04:05|02/09/2024|13:04|+00:00',
      ],
      ['{{ "2024-02-09T13:04:05Z" | date }}[{{ "x" | date: "%Y" }}]', '2024-02-09 13:04:05Z[]'],
      ['{{ Variables.Day }} {{ Variables.Day | date: "%j" }}', '2024-02-29 10:00:00Z 060'],
      ['{{ "2024-02-09" | date: "%u %w" }}', '5 5'],
    ]),
    {
      name: 'Liquid: an input, a loop value, a parse error, a blank template',
      requires: ['liquid'],
      async run(t) {
        const r = await t.run(
          wf(
            t,
            [
              template('A', '{{ Input.Who }}'),
              forEach('Each', list([1, 2]), template('B', '{{ Variables.CurrentValue }}')),
              template('C', '{{ Input.Who '),
              template('D', '  '),
            ],
            { inputs: [inputDef('Who', 'String')] },
          ),
          { input: { Who: 'Zoe' } },
        );
        await t.finished(r.instanceId);
        const [a, b1, b2, c] = await t.someLines(r.instanceId);
        t.eq([a, b1, b2], ['Zoe', '1', '2'], 'lines');
        t.ok(c, 'the message of the parser');
        t.eq((await t.recordEventually(r.instanceId, 'D')).activityState?.Text ?? null, null, 'blank template');
      },
    },
    {
      name: 'Variable and Input expressions, as objects and as text',
      async run(t) {
        const v = variable('V', 'String', 'val');
        const text = (o) => ({ typeName: 'String', expression: { type: o.type, value: JSON.stringify(o.value) } });
        await t.runAndExpect(
          wf(
            t,
            [
              W('A', fromVar(v)),
              W('B', text({ type: 'Variable', value: v })),
              W('C', fromInput('I')),
              W('D', text({ type: 'Input', value: { name: 'I', type: 'String' } })),
            ],
            { variables: [v], inputs: [inputDef('I', 'String')] },
          ),
          ['val', 'val', 'inp', 'inp'],
          { body: { input: { I: 'inp' } } },
        );
      },
    },
    {
      name: 'Object expressions are read as the type of their input',
      async run(t) {
        const v = variable('V', 'Object');
        await t.runAndExpect(
          wf(
            t,
            [
              setVariable('S', v, obj('{"a":1}')),
              script('L1', 'typeof getV()'),
              forEach('Each', obj('["x","y"]'), script('L2', 'getCurrentValue()')),
            ],
            { variables: [v] },
          ),
          ['string', 'x', 'y'],
        );
      },
    },
    {
      name: 'a result that a wait lies in between is read from its variable',
      async run(t) {
        const v = variable('V', 'Object');
        const r = await t.run(
          wf(
            t,
            [runJs('J', 'return { n: 1 }', { result: out(v) }), event('Ev', t.id('go')), script('L', '"" + getV().n')],
            { variables: [v] },
          ),
        );
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['1']);
      },
    },
    {
      name: 'a literal keeps its text, whatever it looks like',
      async run(t) {
        await t.runAndExpect(
          wf(t, [W('A', lit('{"a":1}', 'String')), W('B', lit('[1]', 'String')), W('C', lit(true, 'String'))]),
          ['{"a":1}', '[1]', 'True'],
        );
      },
    },
  ],
};
