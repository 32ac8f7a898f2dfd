import type { ActivityExecutionContext } from '@waymark/core';
import type { ActivityScope } from '@waymark/core/adapter';

/** Alias of the type that receives an output: a variable's or a workflow output's. Undefined: nothing does. */
export function boundTypeOf(ctx: ActivityExecutionContext, outputName: string): string | undefined {
  const targetId = ctx.node.outputs.get(outputName)?.targetId;
  if (targetId === undefined) return undefined;
  const slot = (ctx.expressionScope as ActivityScope).findById(targetId);
  if (slot) return slot.variable.type.alias;
  for (let c = ctx.parent; c; c = c.parent) {
    const output = c.node.nestedWorkflow?.outputs.find((o) => o.name === targetId);
    if (output) return output.typeName;
  }
  return undefined;
}
