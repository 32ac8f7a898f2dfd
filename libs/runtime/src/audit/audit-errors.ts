import { WaymarkError } from '@waymark/core';

/** What the application gave to `AuditTrail.record` cannot be an entry. Nothing was written. */
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
