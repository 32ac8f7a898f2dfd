import type { ActivityStatus, ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';

import { type CompactChunk, type Row, UNCHANGED_PARTS } from './compact-chunk.js';
import { readTexts } from './text-table.js';

/** What `toCompact` was given. */
export function fromCompact([, base, texts, log, records]: CompactChunk): JournalChunk {
  const reader = new ChunkReader(base, readTexts(texts));
  return { log: log.map((row) => reader.entry(row)), records: records.map((row) => reader.record(row)) };
}

/** The positions are those of `ChunkWriter`. */
class ChunkReader {
  constructor(
    private readonly base: number,
    private readonly texts: readonly string[],
  ) {}

  entry(row: Row): WorkflowExecutionLogEntry {
    const [sequence, time, event, execution, version, type, activity, node, parent, name, message, source] = row;
    const entry: WorkflowExecutionLogEntry = {
      sequence: sequence as number,
      activityInstanceId: this.text(execution),
      activityId: this.text(activity),
      activityType: this.text(type),
      activityTypeVersion: version as number,
      activityNodeId: this.text(node),
      timestamp: this.date(time),
      eventName: this.text(event),
    };
    if (parent) entry.parentActivityInstanceId = this.text(parent);
    if (name) entry.activityName = this.text(name);
    if (message) entry.message = this.text(message);
    if (source) entry.source = this.text(source);
    if (row[12]) entry.payload = row[12] as Record<string, unknown>;
    return entry;
  }

  record(row: Row): ActivityExecutionRecord {
    const [id, version, type, activity, node, startedAt, completedAt, status, hasBookmarks, faults, depth] = row;
    const record: ActivityExecutionRecord = {
      id: this.text(id),
      activityId: this.text(activity),
      activityNodeId: this.text(node),
      activityType: this.text(type),
      activityTypeVersion: version as number,
      properties: row[11] as Record<string, unknown>,
      metadata: row[12] as Record<string, unknown>,
      startedAt: this.date(startedAt),
      hasBookmarks: hasBookmarks === 1,
      status: this.text(status) as ActivityStatus,
      aggregateFaultCount: faults as number,
      callStackDepth: depth as number,
    };
    if (completedAt !== null) record.completedAt = this.date(completedAt);
    this.addOptional(record, row);
    return record;
  }

  private addOptional(record: ActivityExecutionRecord, row: Row): void {
    const [scheduler, schedulingActivity, activityState, name, payload, outputs, workflow, exception, unchanged] =
      row.slice(13);
    if (scheduler) record.schedulingActivityExecutionId = this.text(scheduler);
    if (schedulingActivity) record.schedulingActivityId = this.text(schedulingActivity);
    if (activityState) record.activityState = activityState as Record<string, unknown>;
    if (name) record.activityName = this.text(name);
    if (payload) record.payload = payload as Record<string, unknown>;
    if (outputs) record.outputs = outputs as Record<string, unknown>;
    if (workflow) record.schedulingWorkflowInstanceId = this.text(workflow);
    if (exception) record.exception = exception as NonNullable<ActivityExecutionRecord['exception']>;
    if (unchanged) record.unchanged = UNCHANGED_PARTS.filter((_, bit) => ((unchanged as number) & (1 << bit)) !== 0);
  }

  private text(place: unknown): string {
    return this.texts[place as number] as string;
  }

  private date(time: unknown): Date {
    return new Date(this.base + (time as number));
  }
}
