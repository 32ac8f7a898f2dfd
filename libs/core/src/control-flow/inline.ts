import { Activity, Output } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../values/promise-like.js';

/** For workflows written in code: `{ type: 'Elsa.Inline', run: (ctx) => … }`. What the function returns is `Result`. */
@Activity({
  type: 'Elsa.Inline',
  category: 'Primitives',
  description: 'Runs a function of a workflow that is written in code.',
  isBrowsable: false,
})
export class Inline extends ActivityBase {
  /** What the function returned. */
  @Output({ type: 'Object', description: 'What the function returned.' }) result: unknown;
  private run: ((ctx: ActivityExecutionContext) => unknown) | undefined;

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return typeof json.run === 'function' ? { run: json.run } : {};
  }

  execute(ctx: ActivityExecutionContext): unknown {
    if (!this.run)
      throw new WorkflowExecutionError(
        'WM2012',
        `Inline '${ctx.node.id}' has no function: the code of this workflow version is not loaded. Deploy it again, or migrate the instance.`,
      );
    const result = this.run(ctx);
    return isPromiseLike(result) ? result.then((r) => this.keep(r)) : this.keep(result);
  }

  private keep(result: unknown): void {
    if (result !== undefined) this.result = result;
  }
}
