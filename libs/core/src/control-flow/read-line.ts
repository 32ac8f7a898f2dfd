import { Activity, Output } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../values/promise-like.js';

/** Reads a line of text from the input of the host, if that has one. */
@Activity({
  type: 'Elsa.ReadLine',
  category: 'Console',
  description: 'Reads a line of text from the input of the host, if that has one.',
})
export class ReadLine extends ActivityBase {
  /** The line; null at the end of the input. */
  @Output({ type: 'String', description: 'The line; null at the end of the input.' }) result: string | null;

  execute(ctx: ActivityExecutionContext): unknown {
    const line = ctx.workflow.engine.readLine?.(ctx) ?? null;
    return isPromiseLike(line) ? line.then((text) => this.keep(text as string | null)) : this.keep(line);
  }

  private keep(line: string | null): void {
    this.result = line;
  }
}
