import { WaymarkError } from '@waymark/core';

/** Who decides, in this order. */
export type LeaveStep = 'manager' | 'head';

/** Name of the task that waits for that decision. */
export const leaveTask = (step: LeaveStep): string => `leave-${step}`;

/** What an employee sends. */
export interface LeaveRequest {
  readonly employee: string;
  readonly days: number;
}

/** What arrives with a decision. */
export interface LeaveDecisionInput {
  readonly approved: boolean;
  readonly by: string;
}

/** A leave request or a decision that cannot be worked with. Nothing has happened. */
export class LeaveInputError extends WaymarkError {
  readonly code = 'WM9002';
  constructor(what: string, problems: readonly string[]) {
    super(`This is not a valid ${what}: ${problems.join(', ')}.`);
  }
}

/** @throws LeaveInputError */
export function readStep(given: string): LeaveStep {
  if (given === 'manager' || given === 'head') return given;
  throw new LeaveInputError('step', ['"manager" and "head" decide']);
}

/** @throws LeaveInputError */
export function readLeaveRequest(given: unknown): LeaveRequest {
  const { employee, days } = membersOf(given);
  const problems: string[] = [];
  if (!isText(employee)) problems.push('"employee" must be a non-empty string');
  if (!isWholeDays(days)) problems.push('"days" must be a whole number from 1 to 365');
  if (problems.length) throw new LeaveInputError('leave request', problems);
  return { employee: employee as string, days: days as number };
}

/** Anything but a plain yes or no is refused: "false" in quotes would count as a yes. @throws LeaveInputError */
export function readDecision(given: unknown): LeaveDecisionInput {
  const { approved, by } = membersOf(given);
  const problems: string[] = [];
  if (typeof approved !== 'boolean') problems.push('"approved" must be true or false');
  if (!isText(by)) problems.push('"by" must be the name of who decides');
  if (problems.length) throw new LeaveInputError('decision', problems);
  return { approved: approved as boolean, by: by as string };
}

const isWholeDays = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 365;

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

function membersOf(given: unknown): Record<string, unknown> {
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
}
