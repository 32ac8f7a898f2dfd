import { WriteLine } from '../control-flow/write-line.js';
import { ActivityRegistry, type ActivityRegistration } from './activity-registry.js';
import { describeActivity } from './describe-activity.js';

const WORKFLOW = describeActivity(WriteLine);

/** A workflow that is registered as an activity. */
function workflow(typeName: string, definitionId: string, version: number, isPublished = true): ActivityRegistration {
  const id = `${definitionId} v${version}`;
  const constructionProperties = { WorkflowDefinitionId: definitionId, WorkflowDefinitionVersionId: id };
  return {
    descriptor: { ...WORKFLOW, typeName, version, constructionProperties, isBrowsable: isPublished },
    activityClass: WriteLine,
    provider: {},
  };
}

describe('ActivityRegistry', () => {
  it('finds a type at its version, or the newest one', () => {
    const registry = new ActivityRegistry();
    const [one, three, two] = [1, 3, 2].map((version) => workflow('Order', 'order', version));
    for (const registration of [one!, three!, two!]) registry.register(registration);
    expect([registry.find('Order', 2), registry.find('Order', 9), registry.find('Order')]).toEqual([two, three, three]);
    expect(registry.list()).toEqual([three, two, one]);
    const again = workflow('Order', 'order', 2);
    registry.register(again);
    expect(registry.list()).toEqual([three, again, one]);
    expect(registry.find('Order', 2)).toBe(again);
  });

  it('finds workflows by version id, by definition and version, or the newest of a definition', () => {
    const registry = new ActivityRegistry();
    const [one, two] = [workflow('Order', 'order', 1), workflow('Renamed', 'order', 2)];
    registry.register(one);
    registry.register(two);
    expect(registry.findWorkflow({ definitionVersionId: 'order v1', definitionId: 'order', version: 2 })).toBe(one);
    expect(registry.findWorkflow({ definitionVersionId: 'gone', definitionId: 'order', version: 1 })).toBe(one);
    expect(registry.findWorkflow({ definitionId: 'order', version: 7 })).toBe(two);
    expect(registry.findWorkflow({ definitionVersionId: 'gone' })).toBeUndefined();
    expect(registry.findWorkflow({ definitionId: 'other' })).toBeUndefined();
    expect(registry.listWorkflow('order')).toEqual([two, one]);
  });

  it('prefers the published version of a workflow where no known one is named', () => {
    const registry = new ActivityRegistry();
    const [published, draft] = [workflow('Order', 'order', 1), workflow('Order', 'order', 2, false)];
    const [older, newer] = [1, 2].map((version) => workflow('Draft', 'draft', version, false));
    for (const registration of [published, draft, older!, newer!]) registry.register(registration);
    expect([registry.find('Order'), registry.find('Order', 9), registry.find('Order', 2)]).toEqual([
      published,
      published,
      draft,
    ]);
    expect(registry.findWorkflow({ definitionId: 'order', version: 7 })).toBe(published);
    expect(registry.findWorkflow({ definitionId: 'order', version: 2 })).toBe(draft);
    expect([registry.find('Draft'), registry.findWorkflow({ definitionId: 'draft' })]).toEqual([newer, newer]);
  });

  it('takes the newest version of a class that tools do not offer', () => {
    const registry = new ActivityRegistry();
    const [one, two] = [1, 2].map((version) => ({
      descriptor: { ...WORKFLOW, version, isBrowsable: version === 1 },
      activityClass: WriteLine,
      provider: {},
    }));
    registry.register(one!);
    registry.register(two!);
    expect(registry.find(WORKFLOW.typeName)).toBe(two);
  });

  it('forgets workflows that are removed or unregistered', () => {
    const registry = new ActivityRegistry();
    const order = workflow('Order', 'order', 1);
    registry.register(order);
    registry.remove(order);
    registry.remove(order);
    expect([registry.find('Order'), registry.listWorkflow('order')]).toEqual([undefined, []]);
    expect(registry.findWorkflow({ definitionVersionId: 'order v1' })).toBeUndefined();
    registry.register(order);
    registry.unregister((d) => d.typeName === 'Order');
    expect([registry.find('Order'), registry.listWorkflow('order')]).toEqual([undefined, []]);
  });

  it('finds each of two workflows with one name by its ids, and by the name the published one with the highest id', () => {
    const [a, b, draft] = [
      workflow('Order', 'a', 1),
      workflow('Order', 'b', 1),
      workflow('Order', 'draft', 1, false),
    ] as const;
    for (const registrations of [
      [a, b, draft],
      [draft, b, a],
    ]) {
      const registry = new ActivityRegistry();
      for (const registration of registrations) registry.register(registration);
      const byIds = ['a', 'b', 'draft'].map((id) => registry.findWorkflow({ definitionVersionId: `${id} v1` }));
      expect(byIds).toEqual([a, b, draft]);
      expect(registry.findWorkflow({ definitionId: 'a', version: 1 })).toBe(a);
      expect([registry.find('Order', 1), registry.list()]).toEqual([b, [b]]);
      registry.remove(b);
      expect([registry.find('Order', 1), registry.list()]).toEqual([a, [a]]);
    }
  });

  it('keeps the type of a class from workflows that are called like it, in any order and at any version', () => {
    const called = [1, 2].map((version) => workflow('Elsa.WriteLine', 'named', version));
    for (const isClassFirst of [true, false]) {
      const registry = new ActivityRegistry();
      const before = isClassFirst && registry.registerClass(WriteLine, {});
      for (const registration of called) registry.register(registration);
      const line = before || registry.registerClass(WriteLine, {});
      expect([1, 2, undefined].map((version) => registry.find('Elsa.WriteLine', version))).toEqual([line, line, line]);
      expect([registry.list(), registry.findWorkflow({ definitionVersionId: 'named v1' })]).toEqual([
        [line],
        called[0],
      ]);
      for (const registration of called) registry.remove(registration);
      expect([registry.list(), registry.listWorkflow('named')]).toEqual([[line], []]);
    }
  });

  it('reports the last change of a type', () => {
    const registry = new ActivityRegistry();
    registry.register(workflow('A', 'a', 1));
    const b = workflow('B', 'b', 1);
    registry.register(b);
    const { version } = registry;
    registry.remove(workflow('B', 'b', 9));
    registry.unregister(() => false);
    expect(registry.version).toBe(version);
    registry.register(workflow('A', 'a', 2));
    expect([registry.revisionOf('A') > version, registry.revisionOf('B') > version]).toEqual([true, false]);
    const { version: next } = registry;
    registry.remove(b);
    expect([registry.revisionOf('B') > next, registry.revisionOf('B')]).toEqual([true, registry.version]);
    expect(registry.revisionOf('C')).toBe(0);
  });
});
