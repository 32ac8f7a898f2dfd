import { FlowDecision } from '../flowchart/flow-decision.js';
import { FlowFork } from '../flowchart/flow-fork.js';
import { FlowJoin } from '../flowchart/flow-join.js';
import { FlowSwitch } from '../flowchart/flow-switch.js';
import type { JoinMode } from '../flowchart/join-mode.js';
import { If } from '../control-flow/if.js';
import type { SwitchMode } from '../control-flow/switch-case.js';
import { Switch } from '../control-flow/switch.js';
import { requireOneOf } from '../options/require-one-of.js';
import { type ActivityBuilder, type ActivitySettings, requireSettings, type Steps } from './activity-builder.js';
import { buildFromClass, toActivity, withMembers } from './build-activity.js';
import { expressionPart } from './parts.js';
import type { TypedValue } from './value.js';

type Condition = TypedValue<boolean | null>;

const SWITCH_MODES: readonly SwitchMode[] = ['MatchFirst', 'MatchAny'];
const JOIN_MODES: readonly JoinMode[] = ['WaitAny', 'WaitAll', 'WaitAllActive'];

/**
 * Runs one of two branches.
 * @param condition a constant, a variable or a function of the scope @param then steps when it is true
 * @param otherwise steps when it is false; without them the workflow continues
 * @example ifElse((scope) => order.get(scope).total > 1000, activity(AskDirector), activity(Approve))
 */
export function ifElse(
  condition: Condition,
  then: Steps,
  otherwise?: Steps,
  settings: ActivitySettings<If> = {},
): ActivityBuilder {
  // oxlint-disable-next-line unicorn/no-thenable -- `then` is a port of If
  return buildFromClass(If, { condition, then, else: otherwise }, settings);
}

/** A case of `switchOn`, or of `flowSwitch` when it has no branch of its own. */
export interface SwitchCaseBuilder<Branch extends Steps | undefined = Steps | undefined> {
  /** Name of the case. */
  readonly label: string;
  /** Condition under which the case is taken. */
  readonly condition: Condition;
  /** What it runs. */
  readonly branch: Branch;
}

/**
 * Declares a case of `switchOn`, or, without a branch, of `flowSwitch`.
 * @param label name of the case; in a flowchart, name of the outcome @param condition condition under which the case is taken
 * @example when('Large', (scope) => amount.get(scope) > 1000, askDirector)
 */
export function when(label: string, condition: Condition): SwitchCaseBuilder<undefined>;
export function when(label: string, condition: Condition, branch: Steps): SwitchCaseBuilder<Steps>;
export function when(label: string, condition: Condition, branch?: Steps): SwitchCaseBuilder {
  return { label, condition, branch };
}

/** Settings of `switchOn` and `flowSwitch`. */
export interface SwitchSettings<A> extends ActivitySettings<A> {
  /** Whether only the first case whose condition holds is taken, or all of them. @default 'MatchFirst' */
  readonly mode?: SwitchMode;
}

/**
 * Runs the branch of the first case whose condition holds, or `otherwise` of the settings if none does.
 * @param cases made by `when`, in the order in which they are evaluated
 * @throws InvalidOptionError (`WM1090`) for an unknown `mode`
 * @example
 * switchOn(
 *   [
 *     when('Small', (scope) => amount.get(scope) < 100, activity(Approve)),
 *     when('Large', (scope) => amount.get(scope) > 1000, activity(AskDirector)),
 *   ],
 *   { otherwise: activity(AskManager) },
 * )
 */
export function switchOn(
  cases: readonly SwitchCaseBuilder<Steps>[],
  given: SwitchSettings<Switch> & { readonly otherwise?: Steps } = {},
): ActivityBuilder {
  requireSettings('switchOn()', given, 'mode', 'otherwise');
  const { mode, otherwise, ...settings } = given;
  if (mode !== undefined) requireOneOf('switchOn()', 'mode', mode, SWITCH_MODES);
  const written = cases.map(({ label, condition, branch }) => ({
    label,
    condition: expressionPart(condition),
    activity: toActivity(branch),
  }));
  return withMembers(buildFromClass(Switch, { mode, default: otherwise }, settings), { cases: written });
}

/**
 * Adds a decision to a flowchart, with the outcomes `True` and `False`. @param condition a constant, a variable or a function
 * of the scope
 */
export function flowDecision(condition: Condition, settings: ActivitySettings<FlowDecision> = {}): ActivityBuilder {
  return buildFromClass(FlowDecision, { condition }, settings, { outcomes: ['True', 'False'] });
}

/**
 * Adds a step of a flowchart whose outcomes are the labels of the cases whose conditions hold, or `Default` if none does.
 * @param cases made by `when`, without branches
 * @throws InvalidOptionError (`WM1090`) for an unknown `mode`
 */
export function flowSwitch(
  cases: readonly SwitchCaseBuilder<undefined>[],
  given: SwitchSettings<FlowSwitch> = {},
): ActivityBuilder {
  requireSettings('flowSwitch()', given, 'mode');
  const { mode, ...settings } = given;
  if (mode !== undefined) requireOneOf('flowSwitch()', 'mode', mode, SWITCH_MODES);
  const written = cases.map(({ label, condition }) => ({ label, condition: expressionPart(condition) }));
  const outcomes = [...cases.map((c) => c.label), 'Default'];
  return withMembers(buildFromClass(FlowSwitch, { mode }, settings, { outcomes }), { cases: written });
}

/**
 * Adds a step of a flowchart that follows all of the named outcomes at once. @param outcomes names of the outcomes, for `on`
 */
export function flowFork(outcomes: readonly string[], settings: ActivitySettings<FlowFork> = {}): ActivityBuilder {
  return buildFromClass(FlowFork, { branches: outcomes }, settings, { outcomes });
}

/**
 * Adds a step of a flowchart at which several paths join.
 * @param mode which paths to wait for: all (`WaitAll`), all that can still come (`WaitAllActive`), or the first (`WaitAny`)
 * @throws InvalidOptionError (`WM1090`) for an unknown mode
 */
export function flowJoin(mode: JoinMode, settings: ActivitySettings<FlowJoin> = {}): ActivityBuilder {
  return buildFromClass(FlowJoin, { mode: requireOneOf('flowJoin()', 'mode', mode, JOIN_MODES, 'argument') }, settings);
}
