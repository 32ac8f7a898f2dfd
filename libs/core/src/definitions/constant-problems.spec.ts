import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input } from '../activities/decorators.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { constantProblems, constantWarnings } from './constant-problems.js';
import { conversionOf } from './conversion-of.js';
import type { VariableDefinition, WorkflowDefinition, WorkflowOptions } from './workflow-definition.js';

@Activity({ namespace: 'Elsa', isContainer: true })
class Sequence {
  @Children() activities: unknown;
}

@Activity({ namespace: 'Test' })
class Sample {
  @Input({ type: 'TimeSpan' }) span: unknown;
  @Input({ type: 'Int32' }) count: unknown;
  @Input({ type: 'Boolean' }) flag: unknown;
  @Input({ type: 'DateTimeOffset' }) date: unknown;
  @Input({ type: 'List<Int32>' }) list: unknown;
  @Input({ type: 'String', isSensitive: true }) text: unknown;
  @Input({ type: 'Int32', isSensitive: true }) pin: unknown;
  @Input({ type: 'TimeSpan', isNonNegative: true }) wait: unknown;
  @Input({ type: 'Int32', isNonNegative: true }) size: unknown;
  @Input({ type: 'FlowJoinMode' }) mode: unknown;
  @Input({ type: 'Int64' }) long: unknown;
  @Input({ type: 'Boolean', isStrict: true }) guard: unknown;
}

@Activity({ namespace: 'Test' })
class Named {
  @Input({ type: 'String', isNonBlank: true }) label: unknown;
}

const registry = new ActivityRegistry();
for (const c of [Sequence, Sample, Named]) registry.registerClass(c, {});
const ctx = { registry, types: createDefaultTypeRegistry() };

function definition(
  members: Record<string, unknown>,
  { code = false, options = {}, variables = [] as VariableDefinition[] } = {},
): Pick<WorkflowDefinition, 'root' | 'variables' | 'materializerName' | 'options'> {
  const sample = { type: 'Test.Sample', id: 'it', ...members };
  const root = { type: 'Elsa.Sequence', id: 'all', activities: [sample], variables: [] };
  return { root, variables, materializerName: code ? 'CLR' : 'Json', options: options as WorkflowOptions };
}
const literal = (value: unknown) => ({ typeName: 'Object', expression: { type: 'Literal', value } });
const messages = (...of: Parameters<typeof definition>) =>
  constantProblems(definition(...of), ctx).map((p) => p.message);
const warnings = (...of: Parameters<typeof definition>) =>
  constantWarnings(definition(...of), ctx).map((p) => p.message);
const STRICT = [
  { code: true },
  { code: true, options: { strictConversions: false } },
  { options: { strictConversions: true } },
];
const timer = (value: unknown): VariableDefinition => ({
  id: 'v',
  name: 'timer',
  typeName: 'TimeSpan',
  isArray: false,
  value,
});

describe('constants of a definition', () => {
  it.each<[string, unknown]>([
    ['count', 3.7],
    ['count', true],
    ['flag', 2],
  ])('may lose something only where conversions are lenient: %s %p', (name, value) => {
    const given = { [name]: literal(value) };
    expect(messages(given, { code: true })).toEqual([expect.stringContaining(`'${name}' of activity 'it'`)]);
    expect(messages(given, { options: { strictConversions: true } })).toHaveLength(1);
    expect(messages(given)).toEqual([]);
    expect(messages(given, { code: true, options: { strictConversions: false } })).toEqual([]);
  });

  it('constants of a definition that JSON has rounded are published with a warning, and refused where conversions are strict', () => {
    const long = literal(2 ** 53);
    expect(warnings({ long })).toEqual([expect.stringMatching(/from 2\^53 on.*write it as text.*"9007199254740992"/)]);
    expect(messages({ long })).toEqual([]);
    expect(messages({ long }, { options: { strictConversions: true } })).toHaveLength(1);
    expect(messages({ long }, { code: true })).toHaveLength(1);
    expect(messages({ long }, { code: true, options: { strictConversions: false } })).toEqual([]);
    expect(warnings({ long: literal('9007199254740993') })).toEqual([]);
  });

  it('may be objects for text only where conversions are lenient', () => {
    const text = { typeName: 'String', expression: { type: 'Object', value: { a: 1 } } };
    expect(messages({ text }, { code: true })).toHaveLength(1);
    expect(messages({ text })).toEqual([]);
  });

  it.each([
    [{ wait: literal('-00:00:05') }, "'wait' of activity 'it' (Test.Sample) is negative"],
    [{ wait: literal(-1) }, "'wait' of activity 'it' (Test.Sample) is negative"],
    [{ size: literal('-3') }, "'size' of activity 'it' (Test.Sample) is negative"],
    [{ type: 'Test.Named', label: literal(' ') }, "'label' of activity 'it' (Test.Named) is blank"],
    [{ type: 'Test.Named', label: literal(undefined) }, 'is blank'],
    [{ type: 'Test.Named' }, 'is blank'],
  ])('constants of a definition in code are checked by the rules of their input: %j', (members, message) => {
    expect(messages(members, { code: true })).toEqual([expect.stringContaining(message)]);
    expect(messages(members)).toEqual([]);
  });

  it('constants of a definition that are computed or zero are not checked', () => {
    const later = { typeName: 'String', expression: { type: 'Delegate', value: 'f' } };
    expect(messages({ type: 'Test.Named', label: later }, { code: true })).toEqual([]);
    expect(messages({ wait: literal(0), span: literal('-1h'), count: literal(-1) }, { code: true })).toEqual([]);
  });

  it('may be a whole number with a point where conversions are strict', () => {
    expect(messages({ count: literal('7.0') }, { code: true })).toEqual([]);
    expect(warnings({ count: literal('7.0') })).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['span', '3 days'],
    ['span', 'PT72H'],
    ['span', '72h'],
    ['span', '72:00:00'],
    ['span', 5000],
    ['count', '12'],
    ['flag', 'true'],
    ['date', '2026-01-02'],
    ['list', [1, '2']],
    ['text', 5],
  ])('may be values that convert: %s %p', (name, value) => {
    for (const code of [true, false]) expect(messages({ [name]: literal(value) }, { code })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['span', 'soon', "'3 days'"],
    ['span', '3 months', "'PT72H'"],
    ['count', 'many', 'a whole number'],
    ['flag', 'yes', 'true or false'],
    ['date', 'tomorrow', 'a date such as'],
    ['list', [1, 'x'], 'a whole number'],
  ])('constants of a definition are problems that name what is accepted: %s %p', (name, value, accepted) => {
    for (const how of STRICT) {
      const [problem] = constantProblems(definition({ [name]: literal(value) }, how), ctx);
      expect(problem).toEqual({ activityId: 'it', message: expect.stringContaining(accepted) });
      expect(problem!.message).toContain(`'${name}' of activity 'it' (Test.Sample)`);
      expect(warnings({ [name]: literal(value) }, how)).toEqual([]);
    }
  });

  it.each<[string, unknown, string, string]>([
    ['span', 'soon', "'3 days'", 'becomes "00:00:00"'],
    ['count', 'many', 'a whole number', 'becomes 0'],
    ['flag', 'yes', 'true or false', 'becomes false'],
    ['list', [1, 'x'], 'a whole number', 'becomes [1,0]'],
    ['long', 'many', 'a whole number', 'becomes'],
    ['date', 'tomorrow', 'a date such as', 'becomes'],
    ['mode', 'Sometimes', 'one of', 'The activity faults'],
  ])(
    'constants of a definition are warnings where conversions are lenient: %s %p',
    (name, value, accepted, consequence) => {
      const given = { [name]: literal(value) };
      for (const how of [{}, { options: { strictConversions: false } }]) {
        expect(messages(given, how)).toEqual([]);
        const [warning] = warnings(given, how);
        expect(warning).toMatch(new RegExp(`'${name}' of activity 'it'.*Cannot convert`));
        expect(warning).toContain(accepted);
        expect(warning).toContain(consequence);
      }
    },
  );

  it('constants of a definition prevent publishing on a host that is strict, unless the definition says otherwise', () => {
    const strict = { registry, types: createDefaultTypeRegistry({ strict: true }) };
    const lenient = { options: { strictConversions: false } };
    const given = { count: literal('many') };
    expect(constantProblems(definition(given), strict)).toHaveLength(1);
    expect(constantWarnings(definition(given), strict)).toEqual([]);
    expect(constantProblems(definition(given, lenient), strict)).toEqual([]);
    expect(constantWarnings(definition(given, lenient), strict)).toHaveLength(1);
  });

  it('constants of a definition prevent publishing where they would take a safeguard away, whatever the definition says', () => {
    for (const how of [{}, { options: { strictConversions: false } }]) {
      expect(messages({ guard: literal('yes') }, how)).toEqual([
        expect.stringMatching(/'guard' of activity 'it'.*write true or false\.$/),
      ]);
      expect(warnings({ guard: literal('yes') }, how)).toEqual([]);
      expect(messages({ guard: literal('true') }, how)).toEqual([]);
    }
  });

  it('constants of a definition are not checked for computed or missing values', () => {
    const input = { typeName: 'TimeSpan', expression: { type: 'JavaScript', value: 'soon' } };
    expect(messages({ span: input, count: null, flag: literal(null) }, { code: true })).toEqual([]);
  });

  it('constants of a definition are not quoted where they are secret', () => {
    const message = "'pin' of activity 'it' (Test.Sample): the value, which is secret, cannot be converted to Int32.";
    expect(messages({ pin: literal('hidden') }, { code: true })).toEqual([message]);
    expect(warnings({ pin: literal('hidden') })).toEqual([
      `${message} When the activity runs, it becomes the default of its type.`,
    ]);
  });

  it('constants of a definition are stricter in code: no blank text, no days without a unit, no wrong default', () => {
    const blank = { span: literal(' '), count: literal('') };
    expect(messages(blank)).toEqual([]);
    expect(messages(blank, { code: true })).toHaveLength(2);
    expect(messages({ span: literal('5') })).toEqual([]);
    expect(messages({ span: literal('5') }, { code: true })).toHaveLength(1);
    expect(messages({}, { variables: [timer('soon')] })).toEqual([]);
    expect(messages({}, { code: true, variables: [timer('soon')] })).toEqual([
      expect.stringContaining("The default of variable 'timer': Cannot convert"),
    ]);
  });
});

describe('more than 23 hours', () => {
  const longHours = (value: string, more = {}) => constantWarnings(definition({ span: literal(value) }, more), ctx);

  it('more than 23 hours are days in a definition of Elsa, with a warning', () => {
    expect(longHours('72:00:00')).toEqual([
      { activityId: 'it', message: expect.stringMatching(/means 72 days.*'72\.00:00:00'.*'72h' for hours/) },
    ]);
    expect(longHours('23:00:00')).toEqual([]);
  });

  it('more than 23 hours are hours in code, and in a definition that is strict', () => {
    expect(longHours('72:00:00', { code: true })).toEqual([]);
    expect(longHours('72:00:00', { options: { strictConversions: true } })).toEqual([]);
  });
});

describe('conversions', () => {
  it('conversions are strict in code, and elsewhere as the definition says', () => {
    const of = (materializerName: string, strictConversions?: boolean) =>
      conversionOf({ materializerName, options: { strictConversions } });
    expect(of('CLR')).toEqual({ strict: true, longHours: true });
    expect(of('CLR', false)).toEqual({ strict: false, longHours: true });
    expect(of('Json')).toBeUndefined();
    expect(of('Json', true)).toEqual({ strict: true, longHours: true });
    expect(of('Json', false)).toEqual({ strict: false });
  });
});
