import 'reflect-metadata';
import { type ActivityJson } from '@waymark/core';
import {
  ActivityRegistry,
  builtinExpressions,
  compileWorkflow,
  createDefaultTypeRegistry,
  ExpressionRegistry,
  registerCoreActivities,
  WorkflowRunner,
} from '@waymark/core/adapter';
import { createIdGenerator, sha256, SystemClock } from '@waymark/runtime/adapter';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';

const NODES = 10_000;

/** A flowchart of many activities: read from its text, and then compiled, classified and begun, or not. */
const { compiled } = argument<{ compiled: boolean }>();
const registry = new ActivityRegistry();
registerCoreActivities(registry);
const types = createDefaultTypeRegistry();
const expressions = new ExpressionRegistry(builtinExpressions);
const newId = createIdGenerator(new SystemClock());
const runner = new WorkflowRunner({ clock: new SystemClock(), newId, hash: sha256, journal: false }, types);
const text = JSON.stringify(flowchart());

/** Each activity leads to the next; a decision in between leaves the rest out, so that nothing but it runs. */
function flowchart(): ActivityJson {
  const condition = { typeName: 'Boolean', expression: { type: 'Literal', value: false } };
  const steps = Array.from({ length: NODES }, (_, i) => ({ type: 'Elsa.FlowNode', id: `Step${i}` }));
  const connect = (source: string, port: string, target: string) => ({
    source: { activity: source, port },
    target: { activity: target, port: 'In' },
  });
  const connections = steps.slice(1).map(({ id }, i) => connect(`Step${i}`, 'Done', id));
  return {
    type: 'Elsa.Flowchart',
    id: 'Flowchart1',
    activities: [{ type: 'Elsa.FlowDecision', id: 'Decision', condition }, ...steps],
    connections: [connect('Decision', 'True', 'Step0'), ...connections],
  };
}

async function run(): Promise<string> {
  const root = JSON.parse(text) as ActivityJson;
  if (!compiled) return 'Finished';
  const definition = {
    id: 'bench-v1',
    definitionId: 'bench',
    version: 1,
    createdAt: new Date(0),
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    variables: [],
    inputs: [],
    outputs: [],
    outcomes: [],
    customProperties: {},
    options: {},
    root,
  };
  const graph = compileWorkflow(definition, { registry, expressions, types });
  return (await runner.run({ graph, instanceId: newId() })).subStatus;
}

function after(subStatus: string): void {
  if (subStatus !== 'Finished') throw new Error(`Not run: ${subStatus}`);
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: 1, run, after }) });
