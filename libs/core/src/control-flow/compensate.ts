import { Activity, Input } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { scopeAround } from '../execution/clean-up.js';
import { type CompensationEntry, ENTRIES, entriesOf, UNDOS } from '../execution/compensation.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { ScopeActivity } from './scope-activity.js';

const COMPENSABLE_TYPE = 'Waymark.Compensable';

/** Base class of Compensate and Confirm: removes completed steps from their scope and undoes or confirms them. */
abstract class FollowUpActivity extends ScopeActivity {
  abstract compensableId: string | null;

  execute(ctx: ActivityExecutionContext): unknown {
    this.begin(ctx);
    const entries = this.select(takeEntries(ctx, this.compensableId || undefined));
    if (entries.length > 0) ctx.properties[UNDOS] = entries;
    return this.continueWith(ctx, 'End');
  }

  /** @param entries in the order of completion @returns the entries to process; the last one is processed first */
  protected abstract select(entries: readonly CompensationEntry[]): CompensationEntry[];

  /**
   * It fails at once, as what it waits for may never end. What is being undone or confirmed continues in the scope around, and the next
   * attempt has the rest.
   */
  override onTimedOut(ctx: ActivityExecutionContext): boolean {
    return this.isCanceled(ctx);
  }

  protected override proceed(ctx: ActivityExecutionContext): unknown {
    return this.isCanceled(ctx) ? this.endCanceled(ctx) : ctx.complete();
  }
}

/** Undoes the Compensable steps that were completed in the enclosing scope, the last one first. */
@Activity({
  type: 'Waymark.Compensate',
  category: 'Control Flow',
  description: 'Undoes the Compensable steps that were completed in the enclosing scope, the last one first.',
})
export class Compensate extends FollowUpActivity {
  /** Id or name of the Compensable to undo. Without it, all of the nearest scope are undone. */
  @Input({
    type: 'String',
    description: 'Id or name of the Compensable to undo. Without it, all of the nearest scope are undone.',
  })
  compensableId: string | null;

  /** Selects the entries to undo. */
  protected override select(entries: readonly CompensationEntry[]): CompensationEntry[] {
    return entries.filter(({ isConfirmOnly }) => !isConfirmOnly);
  }
}

/** Confirms the Compensable steps that were completed in the enclosing scope: they will not be undone. */
@Activity({
  type: 'Waymark.Confirm',
  category: 'Control Flow',
  description: 'Confirms the Compensable steps that were completed in the enclosing scope: they will not be undone.',
})
export class Confirm extends FollowUpActivity {
  /** Id or name of the Compensable to confirm. Without it, all of the nearest scope are confirmed. */
  @Input({
    type: 'String',
    description: 'Id or name of the Compensable to confirm. Without it, all of the nearest scope are confirmed.',
  })
  compensableId: string | null;

  /** Selects the entries to confirm. */
  protected override select(entries: readonly CompensationEntry[]): CompensationEntry[] {
    const confirmed = entries.filter(({ hasConfirm }) => hasConfirm);
    return confirmed.map((entry): CompensationEntry => ({ ...entry, isConfirmed: true })).reverse();
  }
}

/** Those of the nearest scope, or of the nearest one that has such a step. */
function takeEntries(ctx: ActivityExecutionContext, id: string | undefined): readonly CompensationEntry[] {
  const { graph } = ctx.workflow;
  const isMeant = (node: ActivityNode | undefined): boolean =>
    id === undefined || (node?.type === COMPENSABLE_TYPE && (node.id === id || node.name === id));
  if (id !== undefined && !graph.nodes.some(isMeant))
    throw new WorkflowExecutionError(
      'WM2061',
      `'${ctx.node.id}' names '${id}', which is not a Compensable of this workflow. Give the id or name of one, or nothing.`,
    );
  for (let scope = scopeAround(ctx); scope; scope = scopeAround(scope)) {
    const entries = entriesOf(scope);
    const isTaken = ({ nodeId }: CompensationEntry): boolean => isMeant(graph.findByNodeId(nodeId));
    const taken = entries.filter(isTaken);
    if (taken.length === 0 && id !== undefined) continue;
    if (taken.length > 0) scope.properties[ENTRIES] = entries.filter((entry) => !isTaken(entry));
    return taken;
  }
  return [];
}
