import type { Constructor } from '../activities/decorators.js';
import { Fork } from '../control-flow/fork.js';
import { Parallel } from '../control-flow/parallel.js';
import { Sequence } from '../control-flow/sequence.js';
import { requireOneOf } from '../options/require-one-of.js';
import { type ActivityBuilder, type ActivitySettings, requireSettings, type Steps } from './activity-builder.js';
import { buildFromClass, requireActivities, toActivity } from './build-activity.js';
import type { VariableDeclaration } from './references.js';

/** Settings of `sequence`, `parallel` and other containers. */
export interface ContainerSettings extends ActivitySettings {
  /** Variables that exist only inside the container. Each execution of the container has its own; see `variable`. */
  readonly variables?: readonly VariableDeclaration[];
}

/**
 * Runs activities one after the other.
 * @param activities the activities in the order in which they run @param settings settings, including its own `variables`, made
 *   by `variable`
 * @example sequence([activity(ReserveGoods), activity(AskForPayment), activity(Ship)])
 */
export function sequence(activities: readonly ActivityBuilder[], settings: ContainerSettings = {}): ActivityBuilder {
  requireSettings('sequence()', settings, 'variables');
  return container(Sequence, activities, settings);
}

/**
 * Starts all activities and waits until every one has completed. They share one thread; only what they wait for happens in
 * parallel.
 * @param activities the activities in the order in which they are started
 * @example
 * parallel([activity(ReserveGoods), activity(ReserveTruck)])
 */
export function parallel(activities: readonly ActivityBuilder[], settings: ContainerSettings = {}): ActivityBuilder {
  requireSettings('parallel()', settings, 'variables');
  return container(Parallel, activities, settings);
}

/** Settings of `fork`. */
export interface ForkSettings extends ActivitySettings<Fork> {
  /**
   * Whether the fork completes when all branches have completed, or with the first, which cancels the others. @default
   * 'WaitAll'
   */
  readonly join?: 'WaitAll' | 'WaitAny';
}

/**
 * Starts several branches.
 * @param branches the steps of each branch @param settings settings, including `join`: whether to wait for all of them
 *   (`WaitAll`, the default) or for the first (`WaitAny`), which cancels the others
 * @throws InvalidOptionError (`WM1090`) for an unknown `join`
 * @example
 * fork([activity(AskManager), activity(Delay, { timeSpan: '3 days' })], { join: 'WaitAny' })
 */
export function fork(branches: readonly Steps[], settings: ForkSettings = {}): ActivityBuilder {
  requireSettings('fork()', settings, 'join');
  const { join = 'WaitAll', ...others } = settings;
  requireOneOf('fork()', 'join', join, ['WaitAll', 'WaitAny']);
  return buildFromClass(Fork, { branches: branches.map(toActivity), joinMode: join }, others);
}

function container(
  type: Constructor,
  activities: readonly ActivityBuilder[],
  { variables, ...settings }: ContainerSettings,
): ActivityBuilder {
  requireActivities(activities, `Elsa.${type.name}.activities`);
  return buildFromClass(type, { activities }, settings, { variables });
}
