import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { registerCoreActivities } from '../builder/core-activities.js';
import type { ActivityJson, WorkflowDefinition } from '../definitions/workflow-definition.js';
import { countWorkflows } from '../definitions/workflow-references.js';
import { workflow } from '../execution/testing/build-definition.js';
import { builtinExpressions } from '../expressions/builtin-expressions.js';
import { ExpressionRegistry } from '../expressions/expression-registry.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { compileWorkflow } from './compile-workflow.js';

const registry = new ActivityRegistry();
registerCoreActivities(registry);

const use = (definition: string, id: string): ActivityJson => ({
  type: definition,
  id,
  workflowDefinitionId: definition,
});
const sequence = (...activities: ActivityJson[]): ActivityJson => ({ type: 'Elsa.Sequence', id: 'S', activities });
const named = (definitionId: string, root: ActivityJson): WorkflowDefinition => ({
  ...workflow(root),
  id: `${definitionId}-1`,
  definitionId,
});
/** Each uses the one before it twice. */
const doubling = (levels: number): WorkflowDefinition[] =>
  Array.from({ length: levels }, (_, i) =>
    named(`W${i}`, i === 0 ? sequence() : sequence(use(`W${i - 1}`, 'A'), use(`W${i - 1}`, 'B'))),
  );

/** Compiles the last of them. */
function compiled(all: readonly WorkflowDefinition[], maxNodes?: number, second?: WorkflowDefinition) {
  let asked = 0;
  const resolveWorkflow = ({ definitionId, version }: { definitionId?: string; version?: number }) => {
    asked++;
    if (second?.definitionId === definitionId && version === second?.version) return second;
    return all.find((one) => one.definitionId === definitionId);
  };
  const options = {
    registry,
    expressions: new ExpressionRegistry(builtinExpressions),
    types: createDefaultTypeRegistry(),
  };
  const graph = () => compileWorkflow(all.at(-1)!, { ...options, resolveWorkflow, ...(maxNodes && { maxNodes }) });
  return { graph, resolveWorkflow, asked: () => asked };
}

describe('workflows that use each other', () => {
  it('workflows that multiply by using each other are refused before they are compiled', () => {
    const { graph, asked } = compiled(doubling(60), 20_000);
    expect(graph).toThrow(expect.objectContaining({ code: 'WM1024', maxActivities: 20_000 }));
    // Each is looked through once.
    expect(asked()).toBeLessThan(400);
  });

  it('workflows inside of workflows are numbered by looking into each once', () => {
    const { resolveWorkflow, asked } = compiled(doubling(50));
    expect(countWorkflows(sequence(use('W49', 'A')), { resolveWorkflow })).toBe(2 ** 50 - 1);
    expect(asked()).toBeLessThan(200);
  });

  it('an error about a circle names what is in the circle, and no other workflow', () => {
    const around = named('around', sequence(use('order', 'O')));
    const order = named('order', sequence(use('ship', 'S')));
    const ship = named('ship', sequence(use('pack', 'P')));
    const pack = named('pack', sequence(use('order', 'O')));
    expect(compiled([order, ship, pack, around]).graph).toThrow(/in a cycle: 'order' → 'ship' → 'pack' → 'order'\./);
  });

  it('an error about a circle names the way through a workflow that was looked through before', () => {
    // Versions of one id: the second use of `ship` is inside of another version of `order`.
    const parts = named('parts', sequence(use('order', 'O')));
    const ship = named('ship', sequence(use('parts', 'P')));
    const order = { ...named('order', sequence()), id: 'order-1' };
    const current = { ...named('order', sequence(use('ship', 'S'))), id: 'order-2', version: 2 };
    const outer = named('outer', sequence(use('ship', 'S'), { ...use('order', 'O'), version: 2 }));
    const { graph } = compiled([order, ship, parts, outer], undefined, current);
    expect(graph).toThrow(/in a cycle: 'order' → 'ship' → 'parts' → 'order'\./);
  });

  it('workflows that are used twice have the node ids that they had', () => {
    const { graph } = compiled(doubling(3), 100);
    expect(graph().nodes.map(({ nodeId }) => nodeId)).toEqual([
      'Workflow7',
      'Workflow7:S',
      'Workflow7:S:A',
      'Workflow7:S:A:Workflow3',
      'Workflow7:S:A:Workflow3:S',
      'Workflow7:S:A:Workflow3:S:A',
      'Workflow7:S:A:Workflow3:S:A:Workflow1',
      'Workflow7:S:A:Workflow3:S:A:Workflow1:S',
      'Workflow7:S:A:Workflow3:S:B',
      'Workflow7:S:A:Workflow3:S:B:Workflow1',
      'Workflow7:S:A:Workflow3:S:B:Workflow1:S',
      'Workflow7:S:B',
      'Workflow7:S:B:Workflow3',
      'Workflow7:S:B:Workflow3:S',
      'Workflow7:S:B:Workflow3:S:A',
      'Workflow7:S:B:Workflow3:S:A:Workflow1',
      'Workflow7:S:B:Workflow3:S:A:Workflow1:S',
      'Workflow7:S:B:Workflow3:S:B',
      'Workflow7:S:B:Workflow3:S:B:Workflow1',
      'Workflow7:S:B:Workflow3:S:B:Workflow1:S',
    ]);
  });

  it('a circle is found behind a workflow that was looked into before', () => {
    const circle = [
      named('A', sequence(use('B', 'B'))),
      named('B', sequence(use('C', 'C'))),
      named('C', sequence()),
      named('Last', sequence(use('C', '1'), use('A', '2'))),
    ];
    expect(compiled(circle).graph).not.toThrow();
    circle[2] = named('C', sequence(use('A', 'A')));
    expect(compiled(circle).graph).toThrow(expect.objectContaining({ code: 'WM1011' }));
  });

  it('node ids that hold long ids are refused when they are too long together', () => {
    const deep = Array.from({ length: 50 }).reduce<ActivityJson>(
      (inner, _, i) => ({ ...sequence(inner), id: `${'i'.repeat(10_000)}${i}` }),
      sequence(),
    );
    expect(compiled([named('Deep', deep)]).graph).toThrow(expect.objectContaining({ code: 'WM1024' }));
  });
});
