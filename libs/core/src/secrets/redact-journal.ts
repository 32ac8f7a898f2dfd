import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '../journal/journal-entry.js';
import type { SecretKeeper } from './secret-keeper.js';

/**
 * Takes the secrets out of what a burst adds to the journal, when it is taken: by then all that the burst has come to know
 * are known. Entries and records are the journal's own; only what they refer to is copied.
 * @param doubtful parts of the chunk: the others hold nothing that could be a secret, unless the burst knows one
 */
export function redactJournal(chunk: JournalChunk, doubtful: JournalChunk, secrets: SecretKeeper): void {
  const { log, records } = secrets.known ? chunk : doubtful;
  for (const entry of log) redactEntry(entry, secrets);
  for (const record of records) redactRecord(record, secrets);
}

function redactEntry(entry: WorkflowExecutionLogEntry, secrets: SecretKeeper): void {
  const { message, payload } = entry;
  if (message !== undefined) entry.message = secrets.shown(message);
  if (payload) entry.payload = secrets.shown(payload);
}

function redactRecord(record: ActivityExecutionRecord, secrets: SecretKeeper): void {
  const { activityState, payload, outputs, exception } = record;
  if (activityState) record.activityState = secrets.shown(activityState);
  if (payload) record.payload = secrets.shown(payload);
  if (outputs) record.outputs = secrets.shown(outputs);
  if (exception) record.exception = secrets.shown(exception);
  const { properties, metadata } = record;
  // Frozen ones stand for nothing, in nearly all records.
  if (!Object.isFrozen(properties)) record.properties = secrets.shown(properties);
  if (!Object.isFrozen(metadata)) record.metadata = secrets.shown(metadata);
}
