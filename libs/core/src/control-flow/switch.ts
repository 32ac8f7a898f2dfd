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

/** Runs the branch of the first case whose condition holds, or of all of them. */
@Activity({
  type: 'Elsa.Switch',
  category: 'Branching',
  description: 'Runs the branch of the first case whose condition holds, or of all of them.',
})
export class Switch extends ActivityBase {
  /** Conditions with their branches. */
  @Input({
    type: CASES_TYPE,
    uiHint: 'switch-editor',
    isWrapped: false,
    description: 'Conditions with their branches.',
  })
  cases: unknown;
  /** Whether the first case that matches runs, or all that match. @default `MatchFirst` */
  @Input(switchModeInput) mode: SwitchMode | null;
  /** Label of the case that matched, null if none did; in the mode `MatchAny` a list of labels. */
  @Output({
    type: 'Object',
    description: 'Label of the case that matched, null if none did; in the mode `MatchAny` a list of labels.',
  })
  output: unknown;
  /** What runs when no case matches. */
  @Port() default: ActivityNode | undefined;
  private compiledCases: readonly SwitchCase[];

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    return { compiledCases: readCases(json.cases, reader) };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const matches = matchCases(ctx, this.compiledCases, this.mode);
    return isPromiseLike(matches)
      ? matches.then((m) => this.scheduleCases(ctx, m as SwitchCase[]))
      : this.scheduleCases(ctx, matches);
  }

  /** Called when a child has completed. It does nothing: the engine completes an activity that has nothing left to wait for. */
  onBranchCompleted(): void {}

  /** A matching case without an activity counts as a match: the default branch is not taken. */
  private scheduleCases(ctx: ActivityExecutionContext, matches: readonly SwitchCase[]): void {
    const labels = matches.map(({ label }) => label);
    // Before its branches, which may change the variable.
    ctx.setOutput('Output', this.mode === 'MatchAny' ? labels : (labels[0] ?? null));
    const branches = matches.length > 0 ? matches.map((c) => c.activity) : [this.default];
    for (const branch of branches) if (branch) ctx.schedule(branch, { callback: this.onBranchCompleted });
  }
}
