import { Activity, Output, Port } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { completePending, goOnCleaning } from '../execution/clean-up.js';
import { ENTRIES, UNDOS } from '../execution/compensation.js';
import { endInstance } from '../execution/leave-instance.js';
import { afterRestoring } from '../execution/restore-within.js';
import type { CompleteCompositeSignal, Signal, SignalContext } from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { completeAround } from './complete-around.js';

/** The workflow itself: the root of every graph, and what a workflow used as an activity runs. */
@Activity({
  type: 'Elsa.Workflow',
  category: 'Workflows',
  description: 'A workflow: runs its root activity within a scope of its own.',
  isBrowsable: false,
})
export class Workflow extends ActivityBase {
  /** The outcomes that a Complete activity has given. */
  @Output({ type: 'Object', description: 'The outcomes that a Complete activity has given.' }) result: unknown;
  /** Its first activity. */
  @Port({ isBrowsable: false }) root: ActivityNode | undefined;
  override readonly unrecordedProperties?: readonly string[] = [ENTRIES, UNDOS];

  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.root, { callback: this.onRootCompleted });
  }

  /** Outcomes of the root activity are not those of the workflow: only Complete names them. */
  onRootCompleted(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }

  override onSignal(signal: Signal, context: SignalContext): unknown {
    if (signal.type !== 'CompleteComposite') return undefined;
    context.stopPropagation();
    return afterRestoring(context.receiver, () => {
      completeAround(context);
      return context.receiver.complete((signal as CompleteCompositeSignal).result);
    });
  }

  /** Of the instance. A workflow used as an activity is part of the scope that it stands in. */
  override isScope(ctx: ActivityExecutionContext): boolean {
    return ctx.parent === undefined;
  }

  override onCleanedUp(ctx: ActivityExecutionContext): void {
    if (goOnCleaning(ctx)) return;
    if (!endInstance(ctx)) completePending(ctx);
  }
}
