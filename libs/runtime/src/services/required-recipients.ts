import { WaymarkError } from '@waymark/core';

/** Thrown when a stimulus, an event or a resume names a recipient that has no value, such as `{ correlationId: undefined }`. */
export class UndefinedRecipientError extends WaymarkError {
  readonly code = 'WM1057';
  constructor(
    /** Names of the members without a value. */
    readonly members: readonly string[],
  ) {
    const named = members.map((member) => `'${member}'`).join(', ');
    super(
      `${named} is given, but has no value, so every instance that waits would be meant. Give the value; to reach every instance, ` +
        'leave the member out.',
    );
  }
}

const RECIPIENTS: readonly string[] = [
  'workflowInstanceId',
  'correlationId',
  'activityInstanceId',
  'bookmarkId',
  // Of an item of the queue, and of a filter of bookmarks.
  'stimulusHash',
  'activityTypeName',
  'hash',
  'ids',
  'names',
];

/**
 * Refuses a recipient without a value: `{ correlationId: body.orderId }` of a body without `orderId` would pay every order that waits.
 * @throws UndefinedRecipientError
 */
export function requireRecipients(metadata: object): void {
  const missing = Object.entries(metadata).filter(
    ([member, value]) => RECIPIENTS.includes(member) && (value ?? null) === null,
  );
  if (missing.length > 0) throw new UndefinedRecipientError(missing.map(([member]) => member));
}
