import type { NodeReader } from '../graph/child-reader.js';
import { Activity, Input } from '../activities/decorators.js';
import { matchCases, readCases, type SwitchCase, type SwitchMode } from '../control-flow/switch-case.js';
import { switchModeInput } from '../control-flow/switch-mode.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../values/promise-like.js';

const CASES_TYPE =
  'UnregisteredClrType:System.Collections.Generic.ICollection`1[[Elsa.Workflows.Activities.Flowchart.Models.FlowSwitchCase, Elsa.Workflows.Core]], System.Private.CoreLib';
const DEFAULT = 'Default';

/** Follows the path of the first case whose condition holds, or of all of them. */
@Activity({
  type: 'Elsa.FlowSwitch',
  category: 'Branching',
  displayName: 'Switch (flow)',
  description: 'Follows the path of the first case whose condition holds, or of all of them.',
  outcomes: [DEFAULT],
})
export class FlowSwitch extends ActivityBase {
  /** Conditions with the outcomes that they take. */
  @Input({
    type: CASES_TYPE,
    uiHint: 'flow-switch-editor',
    isWrapped: false,
    description: 'Conditions with the outcomes that they lead to.',
  })
  cases: unknown;
  /** Whether the first case that matches counts, or all that match. @default `MatchFirst` */
  @Input(switchModeInput) mode: SwitchMode | null;
  private compiledCases: readonly SwitchCase[];

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    return { compiledCases: readCases(json.cases, reader) };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const matches = matchCases(ctx, this.compiledCases, this.mode);
    return isPromiseLike(matches)
      ? matches.then((m) => this.follow(ctx, m as SwitchCase[]))
      : this.follow(ctx, matches);
  }

  private follow(ctx: ActivityExecutionContext, matches: readonly SwitchCase[]): unknown {
    return ctx.completeWithOutcomes(...(matches.length > 0 ? matches.map((c) => c.label) : [DEFAULT]));
  }
}
