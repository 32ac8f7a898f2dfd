import 'reflect-metadata';
import { type WorkflowDefinition, WorkflowDefinitionBuilder, type WorkflowState } from '@waymark/core';
import {
  ActivityRegistry,
  builtinExpressions,
  compileWorkflow,
  createDefaultTypeRegistry,
  ExpressionRegistry,
  registerCoreActivities,
  replaceFunctions,
  WorkflowRunner,
} from '@waymark/core/adapter';
import { createIdGenerator, sha256, SystemClock } from '@waymark/runtime/adapter';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { describeManySteps, STEPS } from '../workflows/many-steps.js';

/** The engine alone: one burst and the state that it would store, without a store. */
const { journal } = argument<{ journal: boolean }>();
const activities = new ActivityRegistry();
registerCoreActivities(activities);
const types = createDefaultTypeRegistry();
const expressions = new ExpressionRegistry(builtinExpressions);
const newId = createIdGenerator(new SystemClock());
const clock = new SystemClock();
const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const runner = new WorkflowRunner({ clock, newId, hash: sha256, journal, yield: yieldTurn }, types);
const graph = compileWorkflow(definition(), { registry: activities, expressions, types });

function definition(): WorkflowDefinition {
  const builder = new WorkflowDefinitionBuilder('bench-steps');
  describeManySteps(builder);
  const { definition: content, functions } = builder.build();
  return {
    ...content,
    root: replaceFunctions(content.root, (key) => functions.get(key)),
    id: `${content.definitionId}-v1`,
    version: 1,
    createdAt: new Date(),
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'CLR',
  };
}

interface Burst {
  readonly state: WorkflowState;
  readonly logged: number | undefined;
}

async function run(): Promise<Burst> {
  const wec = await runner.run({ graph, instanceId: newId() });
  return { state: runner.extract(wec), logged: wec.journal?.take().log.length };
}

function after({ state, logged }: Burst): void {
  if (state.subStatus !== 'Finished' || (journal && logged! < STEPS))
    throw new Error(`Not run: ${JSON.stringify(state.incidents)}`);
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: STEPS, run, after }) });
