import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';

/** What each execution of `Test.Step` does; the test sets it. */
export const steps: { on: (ctx: ActivityExecutionContext) => unknown } = { on: () => undefined };

/** Calls the test. */
@Injectable()
@Activity({ namespace: 'Test' })
export class Step extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    return steps.on(ctx);
  }
}
