import type { ActivityExecutionContext, CompiledExpression, Expression } from '@waymark/core';
import type { NodeReader } from '@waymark/core/adapter';

/** What a node says about retries: its custom property `resilienceStrategy`, compiled where it is an expression. */
export function readResilience(json: Readonly<Record<string, unknown>>, reader: NodeReader): { resilience?: unknown } {
  const given = (json.customProperties as { resilienceStrategy?: unknown } | undefined)?.resilienceStrategy;
  if (typeof given !== 'object' || given === null) return {};
  const { mode, expression } = given as { mode?: unknown; expression?: Expression };
  return { resilience: mode === 'Expression' && expression ? reader.expression(expression) : given };
}

/** The value of what `readResilience` has read. */
export function resilienceOf(ctx: ActivityExecutionContext, resilience: unknown): unknown {
  return typeof resilience === 'function' ? (resilience as CompiledExpression)(ctx.expressionScope) : resilience;
}
