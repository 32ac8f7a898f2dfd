import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '../journal/journal-entry.js';
import { eachInParts } from '../values/in-parts.js';
import type { SecretKeeper } from './secret-keeper.js';

/** What may hold a secret by what it is made of. The rest of a chunk does not, unless the burst knows one. */
export interface DoubtfulParts {
  readonly log: WorkflowExecutionLogEntry[];
  /** Of these everything but the inputs. */
  readonly records: ActivityExecutionRecord[];
  readonly inputs: ActivityExecutionRecord[];
  /** For each of `inputs` the names of those that may; undefined: all of them. */
  readonly names: (readonly string[] | undefined)[];
}

/**
 * Takes the secrets out of what a burst adds to the journal, when it is taken: by then all that the burst has come to know
 * are known. Entries and records are the journal's own; only what they refer to is copied.
 * @param doubtful parts of the chunk. Undefined: all of it is
 */
export function redactJournal(chunk: JournalChunk, doubtful: DoubtfulParts | undefined, secrets: SecretKeeper): void {
  const shown = secrets.showing();
  if (!doubtful || secrets.known) {
    for (const entry of chunk.log) redactEntry(entry, shown);
    for (const record of chunk.records) redactRecord(record, shown);
    return;
  }
  for (const entry of doubtful.log) redactEntry(entry, shown);
  for (const record of doubtful.records) redactOthers(record, shown);
  doubtful.inputs.forEach((record, i) => redactDoubtful(record, doubtful.names[i], secrets, shown));
}

/** The same with a pause after each part of it. */
export async function redactInParts(
  chunk: JournalChunk,
  doubtful: DoubtfulParts | undefined,
  secrets: SecretKeeper,
  pause: () => Promise<void>,
): Promise<void> {
  const shown = secrets.showing();
  const isWhole = !doubtful || secrets.known;
  const { log, records } = isWhole ? chunk : doubtful;
  await pause();
  await eachInParts(log, (entry) => redactEntry(entry, shown), pause);
  await pause();
  await eachInParts(records, (record) => (isWhole ? redactRecord : redactOthers)(record, shown), pause);
  await pause();
  if (isWhole) return;
  const inputs = doubtful.inputs.map((record, i) => ({ record, names: doubtful.names[i] }));
  await eachInParts(inputs, ({ record, names }) => redactDoubtful(record, names, secrets, shown), pause);
}

function redactRecord(record: ActivityExecutionRecord, shown: Shown): void {
  redactInputs(record, shown);
  redactOthers(record, shown);
}

function redactDoubtful(
  record: ActivityExecutionRecord,
  names: readonly string[] | undefined,
  secrets: SecretKeeper,
  shown: Shown,
): void {
  if (!arePlain(record.activityState, names, secrets)) redactInputs(record, shown);
}

function arePlain(
  inputs: ActivityExecutionRecord['activityState'],
  names: readonly string[] | undefined,
  secrets: SecretKeeper,
): boolean {
  if (!inputs || !names) return false;
  for (const name of names) if (!secrets.isPlain(name, inputs[name])) return false;
  return true;
}

type Shown = ReturnType<SecretKeeper['showing']>;

function redactEntry(entry: WorkflowExecutionLogEntry, shown: Shown): void {
  const { eventName, message, payload } = entry;
  // Of the engine's own it is a constant, which is returned as it is; activities may log any.
  entry.eventName = shown(eventName);
  if (message !== undefined) entry.message = shown(message);
  if (payload) entry.payload = shown(payload);
}

function redactInputs(record: ActivityExecutionRecord, shown: Shown): void {
  const { activityState } = record;
  if (activityState) replaced(record, 'activityState', activityState, shown);
}

function redactOthers(record: ActivityExecutionRecord, shown: Shown): void {
  const { payload, outputs, exception, properties, metadata } = record;
  if (payload) replaced(record, 'payload', payload, shown);
  if (outputs) replaced(record, 'outputs', outputs, shown);
  if (exception) replaced(record, 'exception', exception, shown);
  if (hasMembers(properties)) replaced(record, 'properties', properties, shown);
  if (hasMembers(metadata)) replaced(record, 'metadata', metadata, shown);
}

/** What stays as it is is not written again. */
function replaced<K extends keyof ActivityExecutionRecord>(
  record: ActivityExecutionRecord,
  part: K,
  value: ActivityExecutionRecord[K],
  shown: Shown,
): void {
  const next = shown(value);
  if (next !== value) record[part] = next;
}

function hasMembers(value: object): boolean {
  for (const _ in value) return true;
  return false;
}
