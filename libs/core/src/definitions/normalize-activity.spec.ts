// oxlint-disable unicorn/no-thenable -- `then` is a port of If
import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input, Output, Port } from '../activities/decorators.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import type { DefinitionContext } from './definition-context.js';
import { normalizeActivity } from './normalize-activity.js';
import type { ActivityJson } from './workflow-definition.js';

const Elsa = (o: object = {}) => Activity({ namespace: 'Elsa', ...o });

@Elsa()
class WriteLine {
  @Input({ type: 'String' }) text: unknown;
}

@Elsa({ isContainer: true })
class Sequence {
  @Children() activities: unknown;
}

@Elsa()
class If {
  @Input({ type: 'Boolean' }) condition: unknown;
  @Output({ type: 'Boolean' }) result: unknown;
  @Port() then: unknown;
  @Port() else: unknown;
}

@Elsa()
class Switch {
  @Input({ isWrapped: false }) cases: unknown;
  @Input({ type: 'SwitchMode' }) mode: unknown;
  @Output({ type: 'Object' }) output: unknown;
  @Port() default: unknown;
}

@Elsa()
class FlowSwitch {
  @Input({ isWrapped: false }) cases: unknown;
}

@Elsa()
class SendHttpRequest {
  @Input({ isWrapped: false }) expectedStatusCodes: unknown;
  @Input({ type: 'Uri' }) url: unknown;
  @Input({ type: 'String' }) method: unknown;
  @Input({ type: 'HttpHeaders' }) requestHeaders: unknown;
  @Output({ type: 'Int32' }) statusCode: unknown;
  @Port() unmatchedStatusCode: unknown;
}

@Elsa()
class SetVariable {
  @Input({ isWrapped: false }) variable: unknown;
  @Input({ type: 'Object' }) value: unknown;
}

@Elsa()
class For {
  @Input({ type: 'Int32' }) start: unknown;
  @Output({ type: 'Object' }) currentValue: unknown;
  @Port() body: unknown;
}

@Elsa()
class Fork {
  @Input({ type: 'ForkJoinMode', isWrapped: false }) joinMode: unknown;
  @Children() branches: unknown;
}

@Elsa({ kind: 'Trigger' })
class HttpEndpoint {
  @Input({ type: 'String' }) path: unknown;
  @Input({ type: 'List<String>' }) supportedMethods: unknown;
  @Input({ type: 'Boolean', isWrapped: false }) exposeRequestTooLargeOutcome: unknown;
}

@Elsa()
class StateMachine {}

@Activity({ kind: 'Task', runAsynchronously: true, version: 3 })
class Resize {
  @Input({ type: 'Int32', defaultValue: 100 }) width: unknown;
}

const registry = new ActivityRegistry();
for (const c of [
  WriteLine,
  Sequence,
  If,
  Switch,
  FlowSwitch,
  SendHttpRequest,
  SetVariable,
  For,
  Fork,
  HttpEndpoint,
  StateMachine,
  Resize,
])
  registry.registerClass(c, {});

let lastId = 0;
const ctx: DefinitionContext = { registry, types: createDefaultTypeRegistry(), newId: () => `new-${++lastId}` };
const normalize = (json: unknown) => normalizeActivity(json, ctx);
const write = (o: object = {}) => ({ type: 'Elsa.WriteLine', ...o });
const text = (json: unknown) => normalize(write({ text: json })).text;
const flags = { canStartWorkflow: false, runAsynchronously: false };
const literal = (typeName: string, value?: unknown) => ({
  typeName,
  expression: value === undefined ? { type: 'Literal' } : { type: 'Literal', value },
});

describe('an activity', () => {
  it('is completed, members in the order of the reference', () => {
    const result = normalize({ id: 'A', type: 'Elsa.WriteLine', text: 'raw' });
    expect(result).toEqual({
      text: literal('String', 'raw'),
      id: 'A',
      nodeId: 'Workflow1:A',
      name: null,
      type: 'Elsa.WriteLine',
      version: 1,
      customProperties: flags,
      metadata: {},
    });
    expect(Object.keys(result).join()).toBe('text,id,nodeId,name,type,version,customProperties,metadata');
  });

  it('is an empty Sequence when there is none', () => {
    expect(normalize(null)).toMatchObject({ activities: [], variables: [], id: 'Sequence1', type: 'Elsa.Sequence' });
  });

  it('has member names in any casing', () => {
    const result = normalize({ Type: 'Elsa.WriteLine', ID: 'x', Text: 'hi', NodeId: 'old', METADATA: { Designer: 1 } });
    expect(result).toMatchObject({
      id: 'x',
      nodeId: 'Workflow1:x',
      text: literal('String', 'hi'),
      metadata: { Designer: 1 },
    });
  });

  it('keeps members that only its class knows, and custom properties in their casing', () => {
    const result = normalize(
      write({ strategy: { a: 1 }, customProperties: { Source: 'File.cs:45', CanStartWorkflow: 'True' } }),
    );
    expect(result.strategy).toEqual({ a: 1 });
    expect(result.customProperties).toEqual({ Source: 'File.cs:45', canStartWorkflow: true, runAsynchronously: false });
  });

  it('takes its flags from the top level of older files, and else from its type', () => {
    expect(normalize(write({ canStartWorkflow: true })).customProperties).toEqual({ ...flags, canStartWorkflow: true });
    expect(normalize({ type: 'App.Resize' }).customProperties).toEqual({ ...flags, runAsynchronously: true });
    expect(normalize({ type: 'App.Resize', customProperties: { runAsynchronously: false } }).customProperties).toEqual(
      flags,
    );
  });

  it('gets the registered version, and null for an input that only has a run-time default', () => {
    expect(normalize({ type: 'App.Resize', version: '7' })).toMatchObject({ version: 3, width: null });
  });
});

describe('inputs', () => {
  it.each([
    ['a constant', { typeName: 'String', expression: { type: 'Literal', value: 'x' } }, literal('String', 'x')],
    ['a raw text', 'raw', literal('String', 'raw')],
    ['a raw number', 5, literal('String', 5)],
    ['a raw list', ['a'], literal('String', '["a"]')],
    ['no type name', { expression: { type: 'Literal', value: 'x' } }, null],
    [
      'a null type name',
      { typeName: null, expression: { type: 'Literal', value: 'x' }, memoryReference: null },
      literal('String', 'x'),
    ],
    [
      'an unknown type name',
      { typeName: 'Acme.Missing, Acme', expression: { type: 'Literal', value: 'x' } },
      literal('String', 'x'),
    ],
    ['null', null, null],
    ['nothing', undefined, null],
    ['a null constant', { typeName: 'String', expression: { type: 'Literal', value: null } }, literal('String')],
    [
      'an expression type of null',
      { typeName: 'String', expression: { type: null, value: 'x' } },
      literal('String', 'x'),
    ],
    ['no expression type', { typeName: 'String', expression: { value: 'x' } }, null],
    ['a blank expression type', { typeName: 'String', expression: { type: ' ', value: 'x' } }, null],
    ['no expression', { typeName: 'String' }, null],
    [
      'an object constant',
      { typeName: 'Object', expression: { type: 'Literal', value: { a: 1 } } },
      literal('String', '{"a":1}'),
    ],
    [
      'names in another casing',
      { TypeName: 'String', Expression: { Type: 'javascript', Value: '1' } },
      { typeName: 'String', expression: { type: 'JavaScript', value: '1' } },
    ],
    [
      'JSON text',
      { typeName: 'String', expression: { type: 'Json', value: '{"a":1}' } },
      { typeName: 'String', expression: { type: 'Json', value: '{"a":1}' } },
    ],
    [
      'C#',
      { typeName: 'String', expression: { type: 'CSharp', value: 'x' } },
      { typeName: 'String', expression: { type: 'CSharp', value: 'x' } },
    ],
    [
      'an unknown type, as it is',
      { typeName: 'String', expression: { type: 'Acme.Klingon', value: { deep: [1] } } },
      { typeName: 'String', expression: { type: 'Acme.Klingon', value: { deep: [1] } } },
    ],
  ])('reads %s', (_, given, expected) => {
    expect(text(given)).toEqual(expected);
  });

  const variable = {
    id: 'v',
    name: 'Text',
    typeName: 'String',
    isArray: false,
    value: 't',
    storageDriverTypeName: 'Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core',
  };
  const reference = {
    id: 'v',
    name: 'Text',
    typeName: 'String',
    value: 't',
    storageDriverTypeName: 'WorkflowInstanceStorageDriver',
  };

  it.each([
    ['an object', variable],
    ['JSON text, as Studio writes it', JSON.stringify(variable)],
  ])('reads a variable given as %s', (_, value) => {
    expect(text({ typeName: 'Object', expression: { type: 'Variable', value } })).toEqual({
      typeName: 'String',
      expression: { type: 'Variable', value: reference },
    });
    expect(normalize({ type: 'Elsa.SetVariable', variable }).variable).toEqual(reference);
  });

  it('leaves a reference that is not an object as it is', () => {
    expect(text({ typeName: 'Object', expression: { type: 'Variable', value: 'Text' } })).toMatchObject({
      expression: { value: 'Text' },
    });
  });

  it('reads a reference to a workflow input', () => {
    const value = {
      type: 'Acme.Gone',
      name: 'Who',
      isArray: true,
      uiHint: 'singleline',
      storageDriverType: 'X.MemoryStorageDriver',
    };
    expect(text({ typeName: 'Object', expression: { type: 'Input', value } })).toMatchObject({
      expression: {
        value: { uiHint: 'singleline', storageDriverType: 'MemoryStorageDriver', type: 'Object', name: 'Who' },
      },
    });
  });

  it('is written with what the reference constructs the activity with', () => {
    expect(normalize({ type: 'Elsa.If' })).toMatchObject({
      condition: literal('Boolean', false),
      then: null,
      else: null,
      result: null,
    });
    expect(normalize({ type: 'Elsa.If', condition: null })).toMatchObject({ condition: null });
    expect(normalize({ type: 'Elsa.HttpEndpoint' })).toMatchObject({
      path: null,
      supportedMethods: literal('List<String>', '["GET"]'),
      exposeRequestTooLargeOutcome: false,
    });
    expect(normalize({ type: 'Elsa.SetVariable' })).toMatchObject({ variable: null, value: literal('Object') });
    expect(normalize({ type: 'Elsa.Fork' })).toMatchObject({ joinMode: 'WaitAll', branches: [] });
  });
});

describe('outputs', () => {
  const result = (json: unknown) => normalize({ type: 'Elsa.If', result: json }).result;

  it('outputs are bound to a variable or a workflow output', () => {
    expect(result({ typeName: 'Object', memoryReference: { id: 'v' } })).toEqual({
      typeName: 'Boolean',
      memoryReference: { id: 'v' },
    });
    expect(
      result({ typeName: 'Object', memoryReference: { id: 'v' }, converter: { id: 'c', settings: { a: 1 } } }),
    ).toMatchObject({ converter: { id: 'c', settings: { a: 1 } } });
  });

  it.each([null, undefined, {}, 'v', { typeName: 'Object', memoryReference: null }, { memoryReference: { id: 'v' } }])(
    'outputs are unbound for %j',
    (json) => {
      expect(result(json)).toBeNull();
    },
  );

  it('outputs have a memory of their own where the reference gives one', () => {
    expect(normalize({ type: 'Elsa.For', id: 'n24' }).currentValue).toEqual({
      typeName: 'Object',
      memoryReference: { id: 'n24:output-current-value' },
    });
    expect(normalize({ type: 'Elsa.For', currentValue: null }).currentValue).toBeNull();
  });
});

describe('special shapes', () => {
  it('reads the cases of Switch', () => {
    const result = normalize({
      type: 'Elsa.Switch',
      id: 'Sw',
      cases: [
        { label: 'A', condition: { type: 'JavaScript', value: 'true' }, activity: write({ id: 'InA' }) },
        { Label: 'B' },
      ],
    });
    expect(result.cases).toMatchObject([
      {
        label: 'A',
        condition: { type: 'JavaScript', value: 'true' },
        activity: { id: 'InA', nodeId: 'Workflow1:Sw:InA', text: null },
      },
      { label: 'B', condition: null, activity: null },
    ]);
    expect(result.mode).toEqual(
      literal('UnregisteredClrType:Elsa.Workflows.SwitchMode, Elsa.Workflows.Core', 'MatchFirst'),
    );
    expect(Object.keys(result).slice(0, 4)).toEqual(['output', 'cases', 'mode', 'default']);
  });

  it('reads the cases of FlowSwitch', () => {
    expect(
      normalize({
        type: 'Elsa.FlowSwitch',
        cases: [{ label: 'A', condition: { type: 'Liquid', value: 'x' }, activity: {} }],
      }).cases,
    ).toEqual([{ label: 'A', condition: { type: 'Liquid', value: 'x' } }]);
  });

  it('reads expected status codes', () => {
    const result = normalize({
      type: 'Elsa.SendHttpRequest',
      expectedStatusCodes: [{ statusCode: '200', activity: write() }, 404],
      unmatchedStatusCode: write(),
    });
    expect(result.expectedStatusCodes).toMatchObject([
      { statusCode: 200, activity: { id: 'WriteLine1' } },
      { statusCode: 404, activity: null },
    ]);
    expect(result.unmatchedStatusCode).toMatchObject({ id: 'WriteLine2' });
    expect(Object.keys(result).slice(0, 3)).toEqual(['expectedStatusCodes', 'unmatchedStatusCode', 'url']);
  });

  it('reads states and transitions', () => {
    const result = normalize({
      type: 'Elsa.StateMachine',
      states: [{ name: 'Open', entry: write() }],
      transitions: [{ name: 'Close', from: 'Open', to: 'Closed', trigger: write(), condition: true }],
      initialState: 'Open',
    });
    expect(result).toMatchObject({
      states: [{ name: 'Open', entry: { nodeId: 'Workflow1:StateMachine1:WriteLine1' }, exit: null }],
      transitions: [
        {
          name: 'Close',
          displayName: null,
          trigger: { id: 'WriteLine2' },
          condition: literal('Boolean', true),
          action: null,
        },
      ],
      initialState: 'Open',
      currentState: null,
    });
  });

  it('reads conditions in either form', () => {
    const bare = { type: 'JavaScript', value: 'x' };
    const wrapped = { typeName: 'Boolean', expression: bare };
    const machine = (condition: unknown) =>
      normalize({ type: 'Elsa.StateMachine', transitions: [{ from: 'A', to: 'B', condition }] });
    const choice = (type: string, condition: unknown) => normalize({ type, cases: [{ label: 'A', condition }] });
    for (const condition of [bare, wrapped, { expression: bare }]) {
      expect(machine(condition)).toMatchObject({ transitions: [{ condition: wrapped }] });
      expect(choice('Elsa.Switch', condition)).toMatchObject({ cases: [{ condition: bare }] });
      expect(choice('Elsa.FlowSwitch', condition)).toMatchObject({ cases: [{ condition: bare }] });
    }
  });

  it('reads variables of containers', () => {
    const variables = [
      { id: 'a', name: 'A', typeName: 'Int32', value: 5 },
      { name: 'B', typeName: 'Acme.Gone', isArray: false, value: true },
      { id: 'a', name: 'C', typeName: 'String', isArray: true },
    ];
    expect(normalize({ type: 'Elsa.Sequence', variables }).variables).toEqual([
      { id: 'a', name: 'A', typeName: 'Int32', value: '5' },
      { id: expect.stringMatching(/^new-/), name: 'B', typeName: 'Object', value: 'True' },
      { id: expect.stringMatching(/^new-/), name: 'C', typeName: 'String[]' },
    ]);
  });
});

describe('ids', () => {
  it('ids are generated without colliding with existing ones', () => {
    const result = normalize({
      type: 'Elsa.Sequence',
      activities: [write(), write({ id: 'WriteLine1' }), write({ id: ' ' }), null, { type: 'Elsa.If', then: write() }],
    });
    const activities = result.activities as ActivityJson[];
    expect(activities.map((a) => a.nodeId)).toEqual(
      ['WriteLine2', 'WriteLine1', 'WriteLine3', 'If1'].map((id) => `Workflow1:Sequence1:${id}`),
    );
    expect(activities[3]?.then).toMatchObject({ nodeId: 'Workflow1:Sequence1:If1:WriteLine4' });
  });

  it('may be equal in different containers, but not side by side', () => {
    const inner = (id: string) => ({ id, type: 'Elsa.Sequence', activities: [write({ id: 'Same' })] });
    expect(normalize({ type: 'Elsa.Sequence', activities: [inner('a'), inner('b')] })).toBeDefined();
    expect(() => normalize({ id: 'S', type: 'Elsa.Sequence', activities: [inner('a'), inner('a')] })).toThrow(
      expect.objectContaining({ code: 'WM1002', member: 'root.activities[1].id', activityId: 'a' }),
    );
  });
});
