import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input, Output, Port } from '../activities/decorators.js';
import { isWaymarkError } from '../errors/waymark-error.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import type { DefinitionContext } from './definition-context.js';
import type { DefinitionFormatError } from './definition-format-error.js';
import { readDefinitionModel, type DefinitionModel } from './definition-model.js';
import { writeDefinitionModel } from './write-definition.js';

const Elsa = (o: object = {}) => Activity({ namespace: 'Elsa', ...o });

@Elsa({ isContainer: true })
class Flowchart {
  @Children() activities: unknown;
}

@Elsa({ isContainer: true })
class Sequence {
  @Children() activities: unknown;
}

@Elsa()
class Switch {
  @Input({ isWrapped: false }) cases: unknown;
  @Output({ type: 'Object' }) output: unknown;
  @Port() default: unknown;
}

@Elsa()
class SendHttpRequest {
  @Input({ isWrapped: false }) expectedStatusCodes: unknown;
  @Input({ type: 'Uri' }) url: unknown;
}

@Elsa()
class SetVariable {
  @Input({ isWrapped: false }) variable: unknown;
  @Input({ type: 'Object' }) value: unknown;
}

@Elsa()
class StateMachine {}

const registry = new ActivityRegistry();
for (const c of [Flowchart, Sequence, Switch, SendHttpRequest, SetVariable, StateMachine])
  registry.registerClass(c, {});
let lastId = 0;
const ctx: DefinitionContext = { registry, types: createDefaultTypeRegistry(), newId: () => `new-${++lastId}` };
const read = (json: unknown, path?: string) => readDefinitionModel(json, ctx, path);

describe('readDefinitionModel', () => {
  it.each([
    [[{ name: 'order' }], [{ name: 'Order' }], 'both an input and an output'],
    [[{ name: 'URL' }], [{ name: 'Url' }], 'both an input and an output'],
    [[], [{ name: 'Name' }], 'a member that every activity has'],
  ])(
    'warns of an output that cannot be bound where the workflow is used as an activity: %j %j',
    (ins, outs, message) => {
      const model = { inputs: ins, outputs: [{ name: 'fine' }, ...outs] };
      const usable = { ...model, options: { usableAsActivity: true } };
      expect(read(usable).warnings).toEqual([{ member: 'outputs[1].name', message: expect.stringContaining(message) }]);
      expect(read(usable, 'model').warnings[0]!.member).toBe('model.outputs[1].name');
      expect(read(model).warnings).toEqual([]);
    },
  );

  it('fills an empty object with lists and an empty Sequence', () => {
    expect(read({})).toEqual({
      variables: [],
      inputs: [],
      outputs: [],
      outcomes: [],
      customProperties: {},
      options: { autoUpdateConsumingWorkflows: false },
      root: expect.objectContaining({ type: 'Elsa.Sequence', id: 'Sequence1', activities: [] }),
      warnings: [],
    });
  });

  it('reads all known members, in any casing, trimmed, and ignores unknown ones', () => {
    const { root: _, ...model } = read({
      $schema: 'x',
      links: [],
      metadata: {},
      ID: 'v1',
      definitionId: 'd',
      tenantId: '',
      Name: ' My flow ',
      description: ' ',
      CreatedAt: '2026-08-01T09:00:00+02:00',
      version: '2',
      toolVersion: '3.8.0.0',
      isReadonly: false,
      isSystem: 'False',
      isLatest: true,
      isPublished: true,
      outcomes: ['A', null, 'B'],
      customProperties: { _type: 'ObjectMap', Key: { _type: 'List<Object>', _items: [1] } },
      options: null,
      inputs: null,
    });
    expect(model).toEqual({
      id: 'v1',
      definitionId: 'd',
      name: 'My flow',
      description: '',
      createdAt: new Date('2026-08-01T07:00:00Z'),
      version: 2,
      toolVersion: '3.8.0.0',
      isReadonly: false,
      isSystem: false,
      isLatest: true,
      isPublished: true,
      variables: [],
      inputs: [],
      outputs: [],
      outcomes: ['A', 'B'],
      customProperties: { Key: [1] },
      options: { autoUpdateConsumingWorkflows: false },
      warnings: [],
    });
  });

  it('honours usableAsActivity at the top level unless the options say otherwise', () => {
    expect(read({ usableAsActivity: true }).options.usableAsActivity).toBe(true);
    expect(read({ usableAsActivity: true, options: { usableAsActivity: false } }).options.usableAsActivity).toBe(false);
  });

  it('accepts strategies in any spelling', () => {
    const singleton = 'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime';
    const options = (o: object) => read({ options: o }).options;
    expect(options({ activationStrategyType: singleton }).activationStrategyType).toBe(singleton);
    expect(options({ activationStrategyType: 'Singleton' }).activationStrategyType).toBe('Singleton');
    expect(
      options({ incidentStrategyType: 'Elsa.Workflows.IncidentStrategies.FaultStrategy, Elsa.Workflows.Core' })
        .incidentStrategyType,
    ).toBe('FaultStrategy');
    expect(options({ incidentStrategyType: 'Acme.Shout, Acme' }).incidentStrategyType).toBe('Acme.Shout, Acme');
  });
});

describe('variables', () => {
  const variables = (...list: unknown[]) => read({ variables: list }).variables;
  const driver = (name: unknown) =>
    variables({ id: 'v', name: 'V', typeName: 'Object', storageDriverTypeName: name })[0]?.storageDriverTypeName;

  it.each([
    [
      { typeName: 'String', isArray: true },
      { typeName: 'String', isArray: true },
    ],
    [
      { typeName: 'String[]', isArray: false },
      { typeName: 'String', isArray: true },
    ],
    [{ typeName: 'string' }, { typeName: 'String', isArray: false }],
    [{ typeName: 'Long' }, { typeName: 'Int64', isArray: false }],
    [{ typeName: 'System.Int32, System.Private.CoreLib' }, { typeName: 'Int32', isArray: false }],
    [{ typeName: 'List<String>' }, { typeName: 'List<String>', isArray: false }],
    [{}, { typeName: 'Object', isArray: false }],
  ])('reads the type of %j', (given, expected) => {
    expect(variables({ id: 'v', name: 'V', ...given })).toEqual([{ id: 'v', name: 'V', ...expected }]);
  });

  it.each([
    ['abc', 'String', 'abc'],
    ['true', 'Boolean', 'True'],
    [true, 'Boolean', 'True'],
    [5, 'Int32', '5'],
    [{ a: 1 }, 'Object', '{"a":1}'],
    [[1, 2], 'Int32', '[1,2]'],
    [null, 'Object', undefined],
    ['', 'String', ''],
  ])('keeps the default %j of type %s as text', (value, typeName, expected) => {
    expect(variables({ id: 'v', name: 'V', typeName, value })[0]?.value).toEqual(expected);
  });

  it('writes storage drivers as their alias', () => {
    expect(driver('Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core')).toBe(
      'WorkflowInstanceStorageDriver',
    );
    expect(driver('Elsa.Workflows.Core.Services.WorkflowStorageDriver, Elsa.Workflows.Core')).toBe(
      'WorkflowStorageDriver',
    );
    expect(driver('MemoryStorageDriver')).toBe('MemoryStorageDriver');
    expect(driver(null)).toBeUndefined();
    expect(driver('App.RedisDriver')).toBe('App.RedisDriver');
    expect(variables({ name: 'V', storageDriverType: 'X.MemoryStorageDriver' })[0]?.storageDriverTypeName).toBe(
      'MemoryStorageDriver',
    );
  });

  it('variables are left out, with a warning, when their type is unknown', () => {
    const model = read(
      {
        variables: [
          { id: 'a', name: 'Bad', typeName: 'Acme.Missing' },
          null,
          { id: 'b', name: 'Good', typeName: 'Int32' },
        ],
      },
      'model',
    );
    expect(model.variables.map((v) => v.name)).toEqual(['Good']);
    expect(model.warnings).toEqual([
      { member: 'model.variables[0].typeName', message: expect.stringContaining("'Acme.Missing'") },
    ]);
  });

  it('variables get an id when theirs is missing or taken', () => {
    const [a, b, c] = variables({ id: 'x', name: 'A' }, { id: 'x', name: 'B' }, { name: 'C' });
    expect(a?.id).toBe('x');
    expect(new Set([a?.id, b?.id, c?.id]).size).toBe(3);
  });
});

describe('inputs and outputs', () => {
  it('inputs and outputs are read with their types', () => {
    const input = {
      name: 'Ids',
      type: 'string[]',
      displayName: 'Ids',
      uiHint: 'multitext',
      storageDriverType: 'X.MemoryStorageDriver, Y',
      defaultValue: ['a'],
    };
    const model = read({
      inputs: [input, { name: 'B', type: 'Guid', isCollection: true }],
      outputs: [{ ...input, description: '' }],
    });
    expect(model.inputs).toEqual([
      {
        name: 'Ids',
        type: 'String',
        isArray: true,
        displayName: 'Ids',
        uiHint: 'multitext',
        storageDriverType: 'MemoryStorageDriver',
        defaultValue: ['a'],
      },
      { name: 'B', type: 'Guid', isArray: true },
    ]);
    expect(model.outputs).toEqual([
      { name: 'Ids', type: 'String', isArray: true, displayName: 'Ids', description: '' },
    ]);
  });
});

describe('a bad document', () => {
  const type = 'Elsa.Sequence';
  const inSequence = (...activities: unknown[]) => ({ root: { type, activities } });
  let deep: unknown = {};
  for (let i = 0; i < 5000; i++) deep = { body: deep };

  it.each<[string, unknown, string, string]>([
    ['null', null, '', "'The definition' must be an object, but it is null."],
    ['a list', [], '', 'it is a list'],
    ['a text as root', { root: 'hello' }, 'root', "'root' must be an object, but it is a string."],
    ['a number as root', { root: 5 }, 'root', 'it is a number'],
    ['a node without type', inSequence({ type }, { id: 'x' }), 'root.activities[1].type', 'has no type'],
    [
      'an output without memoryReference',
      inSequence({ type: 'Elsa.Switch', output: { typeName: 'Object' } }),
      'root.activities[0].output.memoryReference',
      'is not bound',
    ],
    ['a node whose type is not text', inSequence({ type: 5 }), 'root.activities[0].type', 'must be a string'],
    ['a text among the activities', inSequence('x'), 'root.activities[0]', 'must be an object'],
    ['activities that are no list', { root: { type, activities: {} } }, 'root.activities', 'must be a list'],
    ['an id with a colon', inSequence({ type, id: 'a:b' }), 'root.activities[0].id', "'a:b'"],
    ['an id that is not text', inSequence({ type, id: 5 }), 'root.activities[0].id', 'must be a string'],
    ['a name that is not text', inSequence({ type, name: {} }), 'root.activities[0].name', 'must be a string'],
    ['a version that is not a number', { version: 'abc' }, 'version', 'must be a whole number, but it is "abc"'],
    ['a broken version', inSequence({ type, version: 1.5 }), 'root.activities[0].version', '1.5'],
    [
      'metadata that is not an object',
      inSequence({ type, metadata: [] }),
      'root.activities[0].metadata',
      'must be an object',
    ],
    ['a flag that is not a boolean', { isPublished: 'maybe' }, 'isPublished', 'must be true or false'],
    ['a bad date', { createdAt: 'yesterday' }, 'createdAt', "'yesterday' is not a date"],
    ['options that are no object', { options: 'x' }, 'options', 'must be an object'],
    [
      'an option of the wrong kind',
      { options: { activityCategory: 5 } },
      'options.activityCategory',
      'must be a string',
    ],
    ['an outcome that is not text', { outcomes: [5] }, 'outcomes[0]', 'must be a string'],
    ['a variable that is not an object', { variables: ['x'] }, 'variables[0]', 'must be an object'],
    ['an input without name', { inputs: [{ type: 'String' }] }, 'inputs[0].name', 'has no name'],
    [
      'a case that is not an object',
      { root: { type: 'Elsa.Switch', cases: [5] } },
      'root.cases[0]',
      'must be an object',
    ],
    [
      'a status code that is not a number',
      { root: { type: 'Elsa.SendHttpRequest', expectedStatusCodes: ['x'] } },
      'root.expectedStatusCodes[0].statusCode',
      'whole number',
    ],
    ['endless nesting', { root: deep }, '', 'nested deeper than 512 levels'],
    [
      'endless nesting in text',
      { customProperties: { a: { _type: 'JsonObject', _island: `${'['.repeat(20_000)}${']'.repeat(20_000)}` } } },
      'customProperties',
      'nested more than 1000 levels',
    ],
  ])('%s is refused', (_, json, member, message) => {
    expect(() => read(json)).toThrow(
      expect.objectContaining({
        name: 'DefinitionFormatError',
        code: 'WM1001',
        member,
        key: message === 'has no type' ? member.replace(/\.type$/, '') : member,
        message: expect.stringContaining(message),
      }),
    );
  });

  it.each(['inputs', 'outputs'])('an unknown type among the %s is reported under the key type', (list) => {
    expect(() => read({ [list]: [{ name: 'X', type: 'Acme.Missing' }] }, 'model')).toThrow(
      expect.objectContaining({
        code: 'WM1001',
        member: `model.${list}[0].type`,
        key: 'type',
        message: expect.stringContaining("'Acme.Missing'"),
      }),
    );
  });

  it('is named by its path in the request', () => {
    expect(() => read({ root: { id: 'x' } }, 'model')).toThrow(expect.objectContaining({ member: 'model.root.type' }));
    expect(() => read('x', 'model')).toThrow(expect.objectContaining({ member: 'model' }));
  });
});

/** JSON that looks like a definition in places, so that the reader gets further than the first check. */
const { value: almostDefinition } = fc.letrec((tie) => {
  const names = [
    'type',
    'id',
    'name',
    'version',
    'root',
    'activities',
    'connections',
    'source',
    'target',
    'activity',
    'port',
    'vertices',
    'variables',
    'variable',
    'value',
    'typeName',
    'expression',
    'memoryReference',
    'converter',
    'cases',
    'condition',
    'label',
    'default',
    'states',
    'transitions',
    'expectedStatusCodes',
    'statusCode',
    'customProperties',
    'notFoundConnections',
    'metadata',
    'designer',
    'originalActivityJson',
    'inputs',
    'outputs',
    'options',
    'isArray',
    'output',
    '$values',
    '_type',
    '_items',
    '_island',
    '__proto__',
    'constructor',
    'toString',
    'Type',
    'ID',
  ];
  const types = [
    'Elsa.Flowchart',
    'Elsa.Sequence',
    'Elsa.Switch',
    'Elsa.SendHttpRequest',
    'Elsa.SetVariable',
    'Elsa.StateMachine',
    'Elsa.NotFoundActivity',
    'Acme.Unknown',
    'Literal',
    'Variable',
    'Input',
    'Object',
    'constructor',
  ];
  return {
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom(...types),
      tie('object'),
      tie('typed'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    typed: fc
      .record({ type: fc.constantFrom(...types), rest: tie('object') })
      .map(({ type, rest }) => ({ ...(rest as object), type })),
  };
});

const fixed = {
  id: 'v1',
  definitionId: 'd',
  version: 1,
  createdAt: new Date(0),
  isLatest: true,
  isPublished: false,
  isReadonly: false,
  isSystem: false,
};

function writeAndParse(model: DefinitionModel): unknown {
  return JSON.parse(JSON.stringify(writeDefinitionModel({ ...model, ...fixed, materializerName: 'Json' }, ctx)));
}

function modelOf(json: unknown): DefinitionModel | undefined {
  try {
    return read(json);
  } catch {
    return undefined;
  }
}

function readsOrRefuses(json: unknown): void {
  try {
    read(json);
  } catch (error) {
    if (!isWaymarkError(error)) throw error;
    expect((error as DefinitionFormatError).member).toEqual(expect.any(String));
  }
}

describe('any JSON', () => {
  it('gives a model or a typed error', () => {
    fc.assert(fc.property(fc.jsonValue(), readsOrRefuses), { numRuns: amountOf(500) });
    fc.assert(fc.property(almostDefinition, readsOrRefuses), { numRuns: amountOf(1500) });
    fc.assert(
      fc.property(almostDefinition, (root) => readsOrRefuses({ root })),
      { numRuns: amountOf(1500) },
    );
  });

  it('any JSON that gives a model is unchanged after being written and read', () => {
    let models = 0;
    fc.assert(
      fc.property(almostDefinition, (root) => {
        const model = modelOf({ name: 'x', root });
        if (!model) return;
        models++;
        const written = writeAndParse(model);
        const { warnings: _, ...again } = read(written);
        const { warnings: __, ...first } = { ...model, ...fixed };
        expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(first)));
        expect(writeAndParse(read(written))).toEqual(written);
      }),
      { numRuns: amountOf(1500) },
    );
    expect(models).toBeGreaterThan(amountOf(100));
  });

  it('does not reach prototypes', () => {
    read(
      JSON.parse(
        '{"root":{"type":"Elsa.Sequence","__proto__":{"x":1},"metadata":{"__proto__":{"x":1}}},"customProperties":{"__proto__":{"x":1}}}',
      ),
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
