import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input, Port } from '../activities/decorators.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import type { DefinitionContext } from './definition-context.js';
import { readDefinitionModel } from './definition-model.js';
import type { WorkflowDefinition } from './workflow-definition.js';
import { exportFileName, writeDefinitionModel, writeExport } from './write-definition.js';

@Activity({ namespace: 'Elsa' })
class WriteLine {
  @Input({ type: 'String' }) text: unknown;
}

@Activity({ namespace: 'Elsa', isContainer: true })
class Sequence {
  @Children() activities: unknown;
}

@Activity({ namespace: 'Elsa', isContainer: true })
class Flowchart {
  @Children() activities: unknown;
}

@Activity({ namespace: 'Elsa' })
class FlowDecision {
  @Input({ type: 'Boolean' }) condition: unknown;
}

@Activity({ namespace: 'Elsa' })
class Switch {
  @Input({ isWrapped: false }) cases: unknown;
  @Port() default: unknown;
}

const registry = new ActivityRegistry();
for (const c of [WriteLine, Sequence, Flowchart, FlowDecision, Switch]) registry.registerClass(c, {});
const ctx: DefinitionContext = { registry, types: createDefaultTypeRegistry(), newId: () => 'new' };

/** As the store would have it. */
function saved(model: unknown, o: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  const { warnings: _, ...read } = readDefinitionModel(model, ctx);
  return {
    id: 'v1',
    definitionId: 'd',
    version: 1,
    createdAt: new Date('2026-08-01T09:00:00Z'),
    isLatest: true,
    isPublished: false,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    ...read,
    ...o,
  };
}
const text = (value: unknown) => JSON.stringify(value, null, 1);

const designer = (x: number) => ({ designer: { position: { x, y: 120 }, size: { width: 150, height: 50 } } });
const flags = { canStartWorkflow: false, runAsynchronously: false };
const storage = 'Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core';
const line = (id: string) => ({
  id,
  name: id,
  type: 'Elsa.WriteLine',
  version: 1,
  customProperties: flags,
  metadata: designer(720),
  text: { typeName: 'String', expression: { type: 'Literal', value: id } },
});
const writtenLine = (id: string, nodeId: string) => ({
  text: { typeName: 'String', expression: { type: 'Literal', value: id } },
  id,
  nodeId,
  name: id,
  type: 'Elsa.WriteLine',
  version: 1,
  customProperties: flags,
  metadata: designer(720),
});

/** Shaped like the recorded request and answer `save-new-draft` of a real server. */
const request = {
  id: 'v1',
  definitionId: 'sample-hello',
  name: 'Sample Hello',
  description: '',
  createdAt: '2026-08-01T09:00:00+00:00',
  version: 1,
  toolVersion: '3.8.0.0',
  variables: [
    { id: 'a', name: 'Total', typeName: 'Double', isArray: false, value: '0', storageDriverTypeName: storage },
    { id: 'b', name: 'Tags', typeName: 'String[]', isArray: false, value: '["new"]', storageDriverTypeName: null },
  ],
  inputs: [
    {
      type: 'String',
      name: 'Who',
      displayName: 'Who',
      description: '',
      category: '',
      isArray: false,
      uiHint: 'singleline',
      storageDriverType: storage,
    },
  ],
  outputs: [{ type: 'String', name: 'Names', displayName: 'Names', description: '', category: '', isArray: true }],
  outcomes: ['Taxed'],
  customProperties: {},
  isReadonly: false,
  isSystem: false,
  isLatest: true,
  isPublished: false,
  options: { autoUpdateConsumingWorkflows: false, usableAsActivity: true, incidentStrategyType: null },
  root: {
    id: 'Flowchart1',
    name: 'Flowchart1',
    type: 'Elsa.Flowchart',
    version: 1,
    customProperties: flags,
    metadata: designer(1080),
    activities: [line('A'), { id: 'If', type: 'Elsa.FlowDecision' }],
    connections: [{ source: 'A', target: 'If', sourcePort: 'Done', targetPort: 'In' }],
  },
};
const answer = {
  id: 'v1',
  definitionId: 'sample-hello',
  name: 'Sample Hello',
  description: '',
  createdAt: '2026-08-01T09:00:00+00:00',
  version: 1,
  toolVersion: '3.8.0.0',
  variables: [
    {
      id: 'a',
      name: 'Total',
      typeName: 'Double',
      isArray: false,
      value: '0',
      storageDriverTypeName: 'WorkflowInstanceStorageDriver',
    },
    { id: 'b', name: 'Tags', typeName: 'String', isArray: true, value: '["new"]' },
  ],
  inputs: [
    {
      uiHint: 'singleline',
      storageDriverType: 'WorkflowInstanceStorageDriver',
      type: 'String',
      name: 'Who',
      displayName: 'Who',
      description: '',
      category: '',
    },
  ],
  outputs: [{ type: 'String', name: 'Names', displayName: 'Names', description: '', category: '', isArray: true }],
  outcomes: ['Taxed'],
  customProperties: {},
  isReadonly: false,
  isSystem: false,
  isLatest: true,
  isPublished: false,
  options: { usableAsActivity: true, autoUpdateConsumingWorkflows: false },
  root: {
    id: 'Flowchart1',
    nodeId: 'Workflow1:Flowchart1',
    name: 'Flowchart1',
    type: 'Elsa.Flowchart',
    version: 1,
    customProperties: { ...flags, notFoundConnections: [] },
    metadata: designer(1080),
    activities: [
      writtenLine('A', 'Workflow1:Flowchart1:A'),
      {
        condition: { typeName: 'Boolean', expression: { type: 'Literal', value: false } },
        id: 'If',
        nodeId: 'Workflow1:Flowchart1:If',
        name: null,
        type: 'Elsa.FlowDecision',
        version: 1,
        customProperties: flags,
        metadata: {},
      },
    ],
    variables: [],
    connections: [{ source: { activity: 'A', port: 'Done' }, target: { activity: 'If', port: 'In' }, vertices: [] }],
  },
};

describe('writeDefinitionModel', () => {
  it('answers a save as the reference does, member by member', () => {
    expect(text(writeDefinitionModel(saved(request), ctx))).toBe(text(answer));
  });

  it('writes the same definition that it reads', () => {
    expect(text(writeDefinitionModel(saved(answer), ctx))).toBe(text(answer));
  });

  it.each(['Singleton', 'singletonstrategy', 'Old.Namespace.SingletonStrategy, Old, Version=3.0.0.0'])(
    'writes the activation strategy %s by the name under which tools offer it',
    (activationStrategyType) => {
      const model = saved({
        definitionId: 'named',
        root: { type: 'Elsa.WriteLine' },
        options: { activationStrategyType },
      });
      const { options } = writeDefinitionModel(model, ctx) as { options: object };
      expect(options).toHaveProperty(
        'activationStrategyType',
        'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime',
      );
    },
  );

  it('completes a minimal definition', () => {
    expect(
      text(
        writeDefinitionModel(
          saved({ definitionId: 'sample-minimal', root: { type: 'Elsa.WriteLine', text: 'raw' } }),
          ctx,
        ),
      ),
    ).toBe(
      text({
        id: 'v1',
        definitionId: 'sample-minimal',
        createdAt: '2026-08-01T09:00:00+00:00',
        version: 1,
        variables: [],
        inputs: [],
        outputs: [],
        outcomes: [],
        customProperties: {},
        isReadonly: false,
        isSystem: false,
        isLatest: true,
        isPublished: false,
        options: { autoUpdateConsumingWorkflows: false },
        root: {
          text: { typeName: 'String', expression: { type: 'Literal', value: 'raw' } },
          id: 'WriteLine1',
          nodeId: 'Workflow1:WriteLine1',
          name: null,
          type: 'Elsa.WriteLine',
          version: 1,
          customProperties: flags,
          metadata: {},
        },
      }),
    );
  });

  it('writes dates as .NET does', () => {
    const written = (iso: string) => writeDefinitionModel(saved({}, { createdAt: new Date(iso) }), ctx).createdAt;
    expect(written('2026-11-21T21:38:14.220Z')).toBe('2026-11-21T21:38:14.22+00:00');
    expect(written('2026-11-21T21:38:10.000Z')).toBe('2026-11-21T21:38:10+00:00');
  });

  it('has null in place of functions of workflows in code, and leaves the definition as it is', () => {
    const fn = () => 1;
    const expression = { type: 'Delegate', value: fn };
    const definition = saved(
      {},
      {
        root: {
          type: 'Elsa.Switch',
          id: 'S',
          cases: [
            {
              label: 'A',
              condition: expression,
              activity: { type: 'Elsa.WriteLine', text: { typeName: 'String', expression } },
            },
          ],
        },
      },
    );
    expect(writeDefinitionModel(definition, ctx).root).toMatchObject({
      cases: [{ condition: null, activity: { text: { typeName: 'String', expression: null } } }],
    });
    expect(definition.root.cases).toMatchObject([{ condition: { value: fn } }]);
  });
});

describe('writeExport', () => {
  it('begins with the schema and contains the tenant', () => {
    const { $schema, tenantId, ...model } = writeExport(saved(request), ctx);
    expect($schema).toBe('https://elsaworkflows.io/schemas/workflow-definition/v3.0.0/schema.json');
    expect(tenantId).toBe('');
    expect(Object.keys(writeExport(saved(request), ctx)).slice(0, 5)).toEqual([
      '$schema',
      'id',
      'definitionId',
      'tenantId',
      'name',
    ]);
    expect(model).toEqual(answer);
  });

  it('can be imported again', () => {
    expect(saved(JSON.parse(text(writeExport(saved(request), ctx))))).toEqual(saved(request));
  });
});

describe('exportFileName', () => {
  it.each([
    ['Sample Import 2', 'sample-import', 'e086', 'workflow-definition-sample-import-2-sample-import-e086.json'],
    ['OrderApproval HTTPCall', 'o', '1', 'workflow-definition-order-approval-http-call-o-1.json'],
    [undefined, 'My_Flow', '1', 'workflow-definition-my-flow-My_Flow-1.json'],
    ['  ', 'x', '1', 'workflow-definition-x-x-1.json'],
    ['a/../b\n"c"', '../d', '1', 'workflow-definition-a-..-b--c--..-d-1.json'],
  ])('exportFileName of %j is built from name and ids', (name, definitionId, id, expected) => {
    expect(exportFileName({ name, definitionId, id })).toBe(expected);
  });

  it.each([
    ['ABCDef', 'abc-def'],
    ['XMLHTTPRequestID', 'xmlhttp-request-id'],
    ['AB', 'ab'],
    ['AÄÖüb', 'aä-öüb'],
  ])('parts the words of %j', (name, slug) => {
    expect(exportFileName({ name, definitionId: 'd', id: '1' })).toBe(`workflow-definition-${slug}-d-1.json`);
  });

  it('exportFileName takes linear time for a long name', () => {
    const begin = process.cpuUsage();
    const length = 300_000;
    expect(exportFileName({ name: 'A'.repeat(length), definitionId: 'd', id: '1' })).toHaveLength(length + 29);
    // With the square of the length it takes two minutes.
    expect(process.cpuUsage(begin).user).toBeLessThan(3_000_000);
  });
});
