import type { ActivityExecutionContext } from '@waymark/core';
import type { ActivityScope } from '@waymark/core/adapter';

/** Alias of the type that receives an output: a variable's or a workflow output's. Undefined: nothing does. */
export function boundTypeOf(ctx: ActivityExecutionContext, outputName: string): string | undefined {
  const targetId = ctx.node.outputs.get(outputName)?.targetId;
  if (targetId === undefined) return undefined;
  const type = (ctx.expressionScope as ActivityScope).typeOfTarget(targetId);
  // Any text may be null.
  return type === 'String?' ? 'String' : type;
}
