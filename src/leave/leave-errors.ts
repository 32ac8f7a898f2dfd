import { WaymarkError } from '@waymark/core';
import type { LeaveStep } from './leave-input.js';

/** There is no such leave request. */
export class LeaveRequestNotFoundError extends WaymarkError {
  readonly code = 'WM9003';
  constructor(requestId: string) {
    super(`There is no leave request "${requestId}". Check the id.`);
  }
}

/** The request does not wait for that person: it has been decided already, or it is not their turn yet. */
export class DecisionNotAwaitedError extends WaymarkError {
  readonly code = 'WM9004';
  constructor(requestId: string, step: LeaveStep) {
    super(
      `Leave request "${requestId}" does not wait for the ${step}: that decision has been made, or is not due yet. ` +
        'Ask for its status.',
    );
  }
}
