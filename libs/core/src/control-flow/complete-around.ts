import type { SignalContext } from '../execution/signals.js';

/**
 * Completes the containers between the sender of a CompleteComposite and the composite that it ends, from the inside out;
 * their other branches are cancelled. Left to the composite, they would be cancelled as well, and the journal of a workflow
 * that went well would say so. No container is notified of the end of its child: it would continue.
 */
export function completeAround({ sender, receiver }: SignalContext): void {
  for (let ctx = sender.parent; ctx && ctx !== receiver; ctx = ctx.parent) {
    ctx.callback = undefined;
    ctx.complete();
  }
}
