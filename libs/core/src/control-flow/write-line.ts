import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';

/** Writes a line of text to the output of the host. */
@Activity({
  type: 'Elsa.WriteLine',
  category: 'Console',
  description: 'Writes a line of text to the output of the host.',
})
export class WriteLine extends ActivityBase {
  /** The line to write. */
  @Input({ type: 'String', description: 'The line to write.' }) text: string | null;

  execute(ctx: ActivityExecutionContext): void {
    ctx.workflow.engine.writeLine?.(this.text ?? '', ctx);
  }
}
