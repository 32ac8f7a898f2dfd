import type { ActivityExecutionContext } from './activity-execution-context.js';

/**
 * Decides how an instance continues after one of its activities has faulted. It calls `ctx.workflow.fault()`,
 * `ctx.workflow.cancel()` or `ctx.workflow.finishNow(ctx)`, or nothing: then the other branches continue.
 * It may return a promise. If it fails, that is logged (`WM4093`), and the instance is faulted.
 * @param ctx the execution that has faulted
 */
export type IncidentStrategy = (ctx: ActivityExecutionContext) => void;

/** The whole workflow is faulted; what was scheduled is not executed any more. */
const fault: IncidentStrategy = (ctx) => ctx.workflow.fault();

/** Other branches continue. The workflow cannot finish while the activity is faulted. */
const continueWithIncidents: IncidentStrategy = () => {};

const STOCK: Readonly<Record<string, IncidentStrategy>> = { fault, continuewithincidents: continueWithIncidents };

/** Finds the strategy that a definition names by alias, short name or assembly-qualified name. Only the class name counts. */
export function findIncidentStrategy(
  name: string | null | undefined,
  own: Readonly<Record<string, IncidentStrategy>> | undefined,
): IncidentStrategy | undefined {
  if (!name) return undefined;
  const key = name
    .split(',')[0]!
    .split('.')
    .at(-1)!
    .toLowerCase()
    .replace(/strategy$/, '');
  for (const [candidate, strategy] of Object.entries(own ?? {}))
    if (candidate.toLowerCase().replace(/strategy$/, '') === key) return strategy;
  return Object.hasOwn(STOCK, key) ? STOCK[key] : undefined;
}
