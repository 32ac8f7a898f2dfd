import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { DONE, Outcomes } from '../state/outcomes.js';
import { CompleteCompositeSignal } from '../execution/signals.js';
import { ActivityStatus } from '../state/workflow-state.js';
import { isPromiseLike } from '../values/promise-like.js';

/** Completes the enclosing workflow with the given outcomes, also when that workflow is used as an activity. */
@Activity({
  type: 'Elsa.Complete',
  category: 'Composition',
  description:
    'Completes the enclosing workflow with the given outcomes, also when that workflow is used as an activity.',
  isTerminal: true,
})
export class Complete extends ActivityBase {
  /** Outcomes that the surrounding composite completes with. @default `Done` */
  @Input({
    type: 'Object',
    uiHint: 'outcome-picker',
    defaultSyntax: 'Object',
    description: 'Outcomes with which the workflow completes. Default: Done.',
  })
  outcomes: unknown;

  execute(ctx: ActivityExecutionContext): unknown {
    const { parent, callback } = ctx;
    // Completes first and without telling its container, or it would be cancelled together with that.
    ctx.callback = undefined;
    ctx.complete();
    const sent = ctx.sendSignal(new CompleteCompositeSignal(new Outcomes(...outcomeNames(this.outcomes))));
    // Whoever took the signal may have left the container running, which then waits to hear of this activity.
    const tell = (): unknown =>
      callback && parent?.status === ActivityStatus.Running ? parent.call(callback, ctx, undefined) : undefined;
    return isPromiseLike(sent) ? sent.then(tell) : tell();
  }
}

/** Text is one outcome, whatever is in it; a list gives many; everything else is the default outcome. */
function outcomeNames(value: unknown): string[] {
  if (typeof value === 'string' && value !== '') return [value];
  if (!Array.isArray(value) || value.length === 0) return [DONE];
  return value.map(String);
}
