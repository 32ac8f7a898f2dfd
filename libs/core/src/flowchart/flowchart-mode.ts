import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { FlowchartMode } from '../execution/engine-options.js';

const MODE = 'Flowchart:ExecutionMode';

/** The mode that a new execution begins with: as said by the activity or the instance, else by the host. */
export function flowchartMode(ctx: ActivityExecutionContext): FlowchartMode {
  const { node, workflow } = ctx;
  const named =
    parseMode(node.customProperties[MODE]) ?? parseMode(ctx.properties[MODE]) ?? parseMode(workflow.properties[MODE]);
  return named ?? workflow.engine.flowchartMode ?? 'counter';
}

/** Name or number of the reference's enumeration: Default 0, TokenBased 1, CounterBased 2. */
function parseMode(value: unknown): FlowchartMode | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(value).toLowerCase();
  if (text === '1' || text.startsWith('token')) return 'token';
  return text === '2' || text.startsWith('counter') ? 'counter' : undefined;
}
