import { ActivityBase } from '../execution/activity-base.js';
import type { BreakSignal, Signal, SignalContext } from '../execution/signals.js';
import { markBreaking } from './breaking.js';

/** Base of the loops: a Break below ends the nearest one. */
export abstract class LoopActivity extends ActivityBase {
  override onSignal(signal: Signal, context: SignalContext): void {
    if (signal.type !== 'Break') return;
    markBreaking(context.receiver);
    (signal as BreakSignal).loop = context.receiver;
    context.stopPropagation();
  }
}
