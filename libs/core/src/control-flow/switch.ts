import type { NodeReader } from '../graph/child-reader.js';
import { Activity, Input, Output, Port } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import { matchCases, readCases, type SwitchCase, type SwitchMode } from './switch-case.js';
import { switchModeInput } from './switch-mode.js';

const CASES_TYPE =
  'UnregisteredClrType:System.Collections.Generic.ICollection`1[[Elsa.Workflows.Activities.SwitchCase, Elsa.Workflows.Core]], System.Private.CoreLib';

@Activity({
  type: 'Elsa.Switch',
  category: 'Branching',
  description: 'Runs the branch of the first case whose condition holds, or of all of them.',
})
export class Switch extends ActivityBase {
  @Input({ type: CASES_TYPE, uiHint: 'switch-editor', isWrapped: false }) cases: unknown;
  @Input(switchModeInput) mode: SwitchMode | null;
  @Output({ type: 'Object' }) output: unknown;
  @Port() default: ActivityNode | undefined;
  private compiledCases: readonly SwitchCase[];

  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    return { compiledCases: readCases(json.cases, reader) };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const matches = matchCases(ctx, this.compiledCases, this.mode);
    return isPromiseLike(matches)
      ? matches.then((m) => this.scheduleCases(ctx, m as SwitchCase[]))
      : this.scheduleCases(ctx, matches);
  }

  /** Nothing to do: the engine completes an activity whose callback leaves nothing to wait for. */
  onBranchCompleted(): void {}

  /** A matching case without an activity counts as a match: the default branch is not taken. */
  private scheduleCases(ctx: ActivityExecutionContext, matches: readonly SwitchCase[]): void {
    const branches = matches.length > 0 ? matches.map((c) => c.activity) : [this.default];
    for (const branch of branches) if (branch) ctx.schedule(branch, { callback: this.onBranchCompleted });
  }
}
