import type { ActivityExecutionRecord, JournalChunk } from '@waymark/core';

/**
 * The records of chunks in the order in which they were written: the latest of each execution, whole. Parts that it says
 * are unchanged are those of the record before; where that is missing, as after an import without records, so are they.
 */
export function mergeRecords(chunks: Iterable<Pick<JournalChunk, 'records'>>): ActivityExecutionRecord[] {
  const records = new Map<string, ActivityExecutionRecord>();
  for (const chunk of chunks)
    for (const record of chunk.records)
      records.set(record.id, record.unchanged ? whole(record, records.get(record.id)) : record);
  return [...records.values()].sort((left, right) => left.startedAt.getTime() - right.startedAt.getTime());
}

function whole(
  { unchanged = [], ...record }: ActivityExecutionRecord,
  before: ActivityExecutionRecord | undefined,
): ActivityExecutionRecord {
  for (const part of unchanged) {
    const known = before?.[part];
    if (known !== undefined) record[part] = known;
    else if (before) delete record[part];
  }
  return record;
}

/** Returns a record without the parts that it says are unchanged. */
export function withoutUnchanged(record: ActivityExecutionRecord): ActivityExecutionRecord {
  const { unchanged } = record;
  if (!unchanged) return record;
  // Not by `delete`: copying what is left of an object after it takes ten times as long.
  const { activityState, outputs, ...others } = record;
  const written: ActivityExecutionRecord = others;
  if (activityState !== undefined && !unchanged.includes('activityState')) written.activityState = activityState;
  if (outputs !== undefined && !unchanged.includes('outputs')) written.outputs = outputs;
  return written;
}
