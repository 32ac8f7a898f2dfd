import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { ScheduleChildSignal, Signal, SignalContext } from '../execution/signals.js';

/**
 * Answers a `ScheduleChild` signal: runs the child that it names, with the callback that the container gives to all of
 * its children, so that the container continues from there.
 */
export function scheduleRequestedChild(
  signal: Signal,
  context: SignalContext,
  callback: (...args: never[]) => unknown,
  before?: (ctx: ActivityExecutionContext, child: ActivityNode, existing: ActivityExecutionContext | undefined) => void,
): void {
  if (signal.type !== 'ScheduleChild') return;
  const { childId, existing, input } = signal as ScheduleChildSignal;
  const { receiver } = context;
  const child = existing?.node ?? receiver.node.children.find((c) => c.id === childId);
  if (!child || child.parent !== receiver.node) return;
  context.stopPropagation();
  before?.(receiver, child, existing);
  receiver.schedule(child, { callback, existing, input });
}
