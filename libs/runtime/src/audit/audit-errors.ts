import { WaymarkError } from '@waymark/core';

/** Thrown when the argument of `AuditTrail.record` is not a valid entry. Nothing was written. */
export class InvalidAuditRecordError extends WaymarkError {
  readonly code = 'WM8030';
  constructor(
    /** The member that is wrong. */
    readonly member: string,
    expected: string,
  ) {
    super(`'${member}' of the audit entry must be ${expected}.`);
  }
}
