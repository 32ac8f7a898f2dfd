import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input, Port } from '../activities/decorators.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { Reading, type DefinitionContext } from './definition-context.js';
import { normalizeActivity } from './normalize-activity.js';
import type { ActivityJson } from './workflow-definition.js';

@Activity({ namespace: 'Elsa' })
class WriteLine {
  @Input({ type: 'String' }) text: unknown;
}

@Activity({ namespace: 'Elsa', isContainer: true })
class Flowchart {
  @Children() activities: unknown;
  @Port() start: unknown;
}

@Activity({ type: 'Acme.Teleport' })
class Teleport {
  @Input({ type: 'String' }) destination: unknown;
}

function contextWith(...classes: (typeof WriteLine | typeof Flowchart | typeof Teleport)[]): DefinitionContext {
  const registry = new ActivityRegistry();
  for (const c of [WriteLine, Flowchart, ...classes]) registry.registerClass(c, {});
  return { registry, types: createDefaultTypeRegistry(), newId: () => 'new' };
}

const ctx = contextWith();
const connect = (source: string, target: string, port = 'Done') => ({
  source: { activity: source, port },
  target: { activity: target, port: 'In' },
  vertices: [],
});
const activities = ['A', 'B', 'C'].map((id) => ({ id, type: 'Elsa.WriteLine' }));
const flowchart = (o: object) => ({ id: 'F', type: 'Elsa.Flowchart', activities, ...o });
const connectionsOf = (connections: unknown) => normalizeActivity(flowchart({ connections }), ctx).connections;

describe('a flowchart', () => {
  it('is written with its children last, and with a name only if it has one', () => {
    const result = normalizeActivity(
      flowchart({ start: { type: 'Elsa.WriteLine' }, customProperties: { source: 'x' } }),
      ctx,
    );
    expect(Object.keys(result).join()).toBe(
      'id,nodeId,type,version,customProperties,metadata,activities,variables,connections',
    );
    expect(Object.keys(result.customProperties!)).toEqual([
      'source',
      'notFoundConnections',
      'canStartWorkflow',
      'runAsynchronously',
    ]);
    expect(normalizeActivity(flowchart({ name: 'Main' }), ctx).name).toBe('Main');
  });
});

describe('connections', () => {
  const both = [connect('A', 'B'), connect('B', 'C')];

  it.each([
    ['the current shape', both],
    [
      'PascalCase',
      [{ Source: { Activity: 'A', Port: 'Done' }, Target: { Activity: 'B', Port: 'In' } }, connect('B', 'C')],
    ],
    [
      'the flat shape of older files',
      both.map((c) => ({ source: c.source.activity, target: c.target.activity, sourcePort: 'Done', targetPort: 'In' })),
    ],
    ['a wrapped list', { $values: both }],
  ])('connections are read in %s', (_, given) => {
    expect(connectionsOf(given)).toEqual(both);
  });

  it('may be a single one, without ports and with vertices', () => {
    const vertices = [{ x: 1.5, y: -2 }];
    expect(
      connectionsOf({
        source: { activity: 'A' },
        target: { activity: 'B', port: null },
        vertices: [...vertices, null],
      }),
    ).toEqual([{ source: { activity: 'A' }, target: { activity: 'B' }, vertices }]);
    expect(connectionsOf(null)).toEqual([]);
  });

  it('connections to missing activities are stored separately with a warning, and are restored with the activity', () => {
    const run = new Reading(ctx);
    const result = normalizeActivity(
      flowchart({ connections: [connect('A', 'Ghost'), null, connect('A', 'B')] }),
      ctx,
      'model.root',
      run,
    );
    expect(result.connections).toEqual([connect('A', 'B')]);
    expect(result.customProperties?.notFoundConnections).toEqual([connect('A', 'Ghost')]);
    const ghost = { ...activities[0]!, id: 'Ghost', name: 'Ghost' };
    const back = normalizeActivity({ ...result, activities: [...activities, ghost] }, ctx);
    expect(back.connections).toEqual([connect('A', 'B'), connect('A', 'Ghost')]);
    expect(run.warnings).toEqual([
      { member: 'model.root.connections[0].target', message: expect.stringContaining("'Ghost'") },
    ]);
  });

  it('connections to missing activities in the flat shape are an error that names the activity', () => {
    expect(() => connectionsOf([{ source: 'A', target: 'Ghost' }])).toThrow(
      expect.objectContaining({ code: 'WM1003', member: 'root.connections[0].target', activityId: 'Ghost' }),
    );
  });

  it.each([5, 'A->B', true, [5]])('refuses %j', (given) => {
    expect(() => connectionsOf(given)).toThrow(
      expect.objectContaining({ code: 'WM1001', member: expect.stringContaining('root.connections') }),
    );
  });
});

describe('an activity of unknown type', () => {
  const metadata = { designer: { position: { x: 1, y: 2 } }, displayText: 'Beam me up' };
  const teleport = {
    id: 'B',
    name: 'B',
    type: 'Acme.Teleport',
    version: 4,
    metadata,
    destination: { typeName: 'String', expression: { type: 'Literal', value: 'Mars' } },
    speed: 3,
  };
  const given = {
    ...flowchart({ connections: [connect('A', 'B'), connect('B', 'C')] }),
    activities: [activities[0], teleport, activities[2]],
  };
  const hidden = normalizeActivity(given, ctx);
  const placeholder = (hidden.activities as ActivityJson[])[1]!;

  it('becomes a placeholder that keeps it word for word', () => {
    expect(placeholder).toEqual({
      missingTypeName: 'Acme.Teleport',
      missingTypeVersion: 0,
      originalActivityJson: JSON.stringify(teleport),
      id: 'B',
      nodeId: 'Workflow1:F:B',
      name: 'B',
      type: 'Elsa.NotFoundActivity',
      version: 1,
      customProperties: { canStartWorkflow: false, runAsynchronously: false },
      metadata: {
        ...metadata,
        displayText: 'Not Found: Acme.Teleport',
        description: 'Could not find activity type Acme.Teleport with version 0',
      },
    });
  });

  it('has its outgoing connections stored separately', () => {
    expect(hidden.connections).toEqual([connect('A', 'B')]);
    expect(hidden.customProperties?.notFoundConnections).toEqual([connect('B', 'C')]);
  });

  it('stays as it is while its type is unknown', () => {
    expect(normalizeActivity(hidden, ctx)).toEqual(hidden);
  });

  it('is restored with its connections when its type is registered, at its current position', () => {
    const designer = { position: { x: 50, y: 60 } };
    const moved = {
      ...hidden,
      activities: [activities[0], { ...placeholder, metadata: { ...placeholder.metadata, designer } }, activities[2]],
    };
    const restored = normalizeActivity(moved, contextWith(Teleport));
    expect((restored.activities as ActivityJson[])[1]).toMatchObject({
      type: 'Acme.Teleport',
      destination: teleport.destination,
      speed: 3,
      metadata: { designer, displayText: 'Beam me up' },
    });
    expect(restored.connections).toEqual([connect('A', 'B'), connect('B', 'C')]);
    expect(restored.customProperties?.notFoundConnections).toEqual([]);
  });

  it('keeps the id that it got as a placeholder', () => {
    const nameless = normalizeActivity({ type: 'Acme.Teleport' }, ctx);
    expect(nameless.id).toBe('Teleport1');
    expect(normalizeActivity(nameless, contextWith(Teleport))).toMatchObject({
      type: 'Acme.Teleport',
      id: 'Teleport1',
    });
  });

  it('is found under the old name of the custom property', () => {
    const old = { ...hidden, customProperties: { NotFoundConnectionsKey: [connect('B', 'C')] } };
    const result = normalizeActivity(old, contextWith(Teleport));
    expect(result.connections).toHaveLength(2);
    expect(Object.keys(result.customProperties!)).not.toContain('NotFoundConnectionsKey');
  });

  it.each([{}, { originalActivityJson: 'no JSON' }, { originalActivityJson: '{"type":"Elsa.NotFoundActivity"}' }])(
    'may be a placeholder without an original: %j',
    (o) => {
      expect(normalizeActivity({ type: 'Elsa.NotFoundActivity', ...o }, ctx)).toMatchObject({
        type: 'Elsa.NotFoundActivity',
        missingTypeName: '',
      });
    },
  );
});
