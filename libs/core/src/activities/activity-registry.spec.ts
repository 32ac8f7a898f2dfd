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

  it('forgets workflows that are removed, unregistered, or displaced by others of the same name', () => {
    const registry = new ActivityRegistry();
    registry.register(workflow('Order', 'order', 1));
    const displacing = workflow('Order', 'another', 1);
    registry.register(displacing);
    expect(registry.listWorkflow('order')).toEqual([]);
    expect(registry.findWorkflow({ definitionVersionId: 'order v1' })).toBeUndefined();
    expect(registry.find('Order', 1)).toBe(displacing);
    registry.remove('Order', 1);
    registry.remove('Order', 1);
    expect([registry.find('Order'), registry.listWorkflow('another')]).toEqual([undefined, []]);
    registry.register(displacing);
    registry.unregister((d) => d.typeName === 'Order');
    expect([registry.find('Order'), registry.listWorkflow('another')]).toEqual([undefined, []]);
  });

  it('reports the last change of a type', () => {
    const registry = new ActivityRegistry();
    registry.register(workflow('A', 'a', 1));
    registry.register(workflow('B', 'b', 1));
    const { version } = registry;
    registry.remove('B', 9);
    registry.unregister(() => false);
    expect(registry.version).toBe(version);
    registry.register(workflow('A', 'a', 2));
    expect([registry.revisionOf('A') > version, registry.revisionOf('B') > version]).toEqual([true, false]);
    const { version: next } = registry;
    registry.remove('B', 1);
    expect([registry.revisionOf('B') > next, registry.revisionOf('B')]).toEqual([true, registry.version]);
    expect(registry.revisionOf('C')).toBe(0);
  });
});
