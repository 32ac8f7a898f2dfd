import { MAX_ID_LENGTH, MAX_INSTANCE_ID_LENGTH, requireStorableText } from '@waymark/core/adapter';
import type { CreateInstanceRequest } from './instance-services.js';
import { requireRecipients } from './required-recipients.js';
import type { StimulusMetadata } from './stimulus-services.js';

/**
 * What a stimulus is matched by and kept with, before it is looked for. Its value may be anything: only its hash is stored.
 * @throws TextNotStorableError, UndefinedRecipientError
 */
export function requireStorableStimulus(stimulusName: string, metadata: StimulusMetadata): void {
  requireRecipients(metadata);
  requireStorableText('stimulus name', stimulusName);
  requireStorableText('correlation id', metadata.correlationId);
  requireStorableText('workflow instance id', metadata.workflowInstanceId, MAX_ID_LENGTH);
  requireStorableText('activity instance id', metadata.activityInstanceId, MAX_ID_LENGTH);
  requireStorableText('bookmark id', metadata.bookmarkId, MAX_ID_LENGTH);
  requireStorableText('idempotency key', metadata.idempotencyKey);
}

/** What a start says about its instance, before anything of it runs. @throws TextNotStorableError */
export function requireStorableStart(
  workflowInstanceId: string,
  { correlationId, name, requestKey, parentWorkflowInstanceId }: Omit<CreateInstanceRequest, 'definition'>,
): void {
  requireStorableText('workflow instance id', workflowInstanceId, MAX_INSTANCE_ID_LENGTH);
  requireStorableText('correlation id', correlationId);
  requireStorableText('name of the workflow instance', name);
  requireStorableText('request key', requestKey);
  requireStorableText('id of the parent', parentWorkflowInstanceId, MAX_ID_LENGTH);
}
