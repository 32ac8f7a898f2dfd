import {
  isWaymarkError,
  type StoredValueError,
  type WorkflowState,
  type ActivityExecutionRecord,
  type JournalChunk,
  type WorkflowExecutionLogEntry,
} from '@waymark/core';
import { decodeValue, encodeInParts, stripMarkers, toPlainJson, toPlainJsonInTurns } from '@waymark/core/adapter';
import { type LoadedInstance, loopTurns, toStoredBookmark, withoutRecordMarks } from '@waymark/runtime/adapter';
import { recordEntity } from '../activity-executions/record-answers.js';
import { InvalidRequestError } from '../answers/api-errors.js';
import { dateOf, isObject, memberOf } from '../requests/json-values.js';
import { withOwnExecutionIds } from './imported-executions.js';
import { requireInstance } from './instance-check.js';
import { journalEntity } from './journal-answers.js';

export interface ExportParts {
  readonly includeBookmarks?: boolean | undefined;
  readonly includeActivityExecutionLog?: boolean | undefined;
  readonly includeWorkflowExecutionLog?: boolean | undefined;
}

/** What a file says of an instance. */
export interface ImportedInstance {
  readonly state: WorkflowState;
  readonly journal: JournalChunk;
}

/**
 * An instance as a file, in the envelope of the reference. Its JSON is plain; what is more than JSON (dates, for
 * instance) is noted in a member of our own, so that nothing changes on the way from one of our servers to another.
 */
export async function writeInstanceFile(
  instance: LoadedInstance,
  journal: JournalChunk,
  parts: ExportParts,
): Promise<string> {
  const pause = () => loopTurns.goOn();
  const { id, correlationId } = instance;
  const state = withoutRecordMarks(instance.state);
  const encoded = (await encodeInParts(
    { state, journal: parts.includeActivityExecutionLog ? journal.records : [] },
    'instance',
    pause,
  )) as Encoded;
  // With dates as in answers; what is encoded has them as JavaScript writes them.
  const shownState = await toPlainJsonInTurns(withDates(encoded.json.state), pause);
  await pause();
  return JSON.stringify({
    WorkflowState: shownState,
    Bookmarks: parts.includeBookmarks
      ? state.bookmarks.map((b) => {
          const { name, metadata, ...row } = toStoredBookmark(b, id, correlationId);
          return toPlainJson({ ...row, activityTypeName: name, metadata: metadata ?? null });
        })
      : null,
    ActivityExecutionRecords: parts.includeActivityExecutionLog
      ? encoded.json.journal.map((record) => toPlainJson(recordEntity(id, dated(record, RECORD_DATES))))
      : null,
    WorkflowExecutionLogRecords: parts.includeWorkflowExecutionLog
      ? journal.log.map((entry) => toPlainJson(journalEntity(instance, entry)))
      : null,
    ...(encoded.meta ? { WaymarkTypes: encoded.meta } : {}),
  });
}

interface Encoded {
  readonly json: { readonly state: WorkflowState; readonly journal: readonly ActivityExecutionRecord[] };
  readonly meta?: object;
}

/**
 * @param maxValues of a document, also once its references are followed
 * @throws InvalidRequestError for a file that is not an export of an instance, JsonTooLargeError (`WM1105`)
 */
export function readInstanceFile(json: unknown, maxValues?: number): ImportedInstance {
  const given = memberOf(json, 'WorkflowState');
  if (!isObject(given) || typeof memberOf(given, 'id') !== 'string')
    throw new InvalidRequestError(
      'The file is not an export of a workflow instance: it has no "WorkflowState" with an "id".',
    );
  const records = listOf(memberOf(json, 'ActivityExecutionRecords'));
  const meta = memberOf(json, 'WaymarkTypes');
  const { state, journal } = isObject(meta)
    ? decoded({ state: given, journal: records }, meta)
    : (stripMarkers({ state: given, journal: records }, { maxValues }) as Parts);
  const entries = memberOf(json, 'WorkflowExecutionLogRecords');
  const instance: ImportedInstance = {
    state: withDates(state),
    journal: {
      records: listOf(journal).map((record) => readRecord(record as unknown as ActivityExecutionRecord)),
      // Files of Waymark have no markers: what looks like one is data.
      log: listOf(isObject(meta) ? entries : stripMarkers(entries, { maxValues })).map(readEntry),
    },
  };
  requireInstance(instance);
  return withOwnExecutionIds({ ...instance, state: completed(instance.state) });
}

/** What follows from the rest of a state, so that no row says otherwise. */
function completed(state: WorkflowState): WorkflowState {
  // Retention counts from it.
  if (state.status === 'Finished')
    return { ...state, isExecuting: false, finishedAt: state.finishedAt ?? state.updatedAt };
  // Only an interrupted burst leaves work behind, and only that is looked for and continued.
  return state.scheduledActivities.length > 0 ? { ...state, isExecuting: true } : state;
}

type Parts = { state: WorkflowState; journal: ActivityExecutionRecord[] };

function decoded(json: object, given: object): Parts {
  // Which members are one object. The file has each of them in full; followed as they are given, forty such notes make of a few values
  // more than there is room for.
  const { referentialEqualities: _, ...meta } = given as { readonly referentialEqualities?: unknown };
  try {
    return decodeValue({ json, meta }) as Parts;
  } catch (error) {
    // Not as if there were no notes: all dates, bytes and numbers of the instance would be texts, and nothing would say so.
    const why = isWaymarkError(error, 'WM1054')
      ? (error as StoredValueError).reason
      : 'they were written by a newer version of Waymark';
    throw new InvalidRequestError(
      `The notes on types in "WaymarkTypes" do not fit the file: ${why}. Correct the value, or remove "WaymarkTypes" to import plain JSON.`,
    );
  }
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((v) => isObject(v)) : [];

const STATE_DATES = ['createdAt', 'updatedAt', 'finishedAt'] as const;
const RECORD_DATES = ['startedAt', 'completedAt'] as const;

/** Dates that the engine computes with; in plain JSON they are text. */
function withDates(given: WorkflowState): WorkflowState {
  const state = dated(given, STATE_DATES);
  // What is no list, or no object, is refused later, by name.
  const listed = <T extends object>(list: T[] | undefined, dates: readonly (keyof T)[]): T[] =>
    Array.isArray(list)
      ? list.map((item: unknown) => (isObject(item) ? dated(item as T, dates) : (item as T)))
      : (list ?? []);
  return {
    ...state,
    isSystem: state.isSystem ?? false,
    isExecuting: state.isExecuting ?? false,
    bookmarks: listed(state.bookmarks, ['createdAt', 'dueAt']),
    incidents: listed(state.incidents, ['timestamp']),
    completionCallbacks: state.completionCallbacks ?? [],
    activityExecutionContexts: listed(state.activityExecutionContexts, RECORD_DATES),
    scheduledActivities: state.scheduledActivities ?? [],
    executionLogSequence: state.executionLogSequence ?? 0,
    activityExecutionCount: state.activityExecutionCount ?? 0,
    input: state.input ?? {},
    output: state.output ?? {},
    properties: state.properties ?? {},
  };
}

function readRecord(given: ActivityExecutionRecord): ActivityExecutionRecord {
  const record = without(given as unknown as Record<string, unknown>, 'workflowInstanceId', 'tenantId');
  const bag = (value: unknown) => (isObject(value) ? without(value, '_type') : {});
  const read = { ...record, properties: bag(record.properties), metadata: bag(record.metadata) } as Record<
    string,
    unknown
  >;
  if (isObject(record.payload)) read.payload = bag(record.payload);
  return dated(read as unknown as ActivityExecutionRecord, RECORD_DATES);
}

function readEntry(given: Record<string, unknown>): WorkflowExecutionLogEntry {
  return dated(without(given, ...ENTITY_MEMBERS) as unknown as WorkflowExecutionLogEntry, ['timestamp']);
}

/** Members of a stored entry that say which instance it belongs to. */
const ENTITY_MEMBERS = [
  'workflowDefinitionId',
  'workflowDefinitionVersionId',
  'workflowInstanceId',
  'workflowVersion',
  'id',
  'tenantId',
];

const without = (object: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

function dated<T extends object>(given: T, names: readonly (keyof T)[]): T {
  const copy = { ...given };
  for (const name of names) {
    const date = dateOf(copy[name]);
    if (date) copy[name] = date as T[keyof T];
  }
  return copy;
}
