import { deserialize } from '@waymark/core';
import type { AlterationJob, AlterationPlan } from '@waymark/runtime';
import type { Row, SqlValue } from '../database/statement.js';
import { time, timeOrNull, toDate, toOptionalDate, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

export const PLAN_COLUMNS = ['id', 'status', 'data', 'created_at', 'started_at', 'completed_at'] as const;
export const JOB_COLUMNS = [
  'id',
  'plan_id',
  'workflow_instance_id',
  'status',
  'log',
  'created_at',
  'started_at',
  'completed_at',
] as const;

/** What is only read back, never searched. */
type PlanData = Pick<AlterationPlan, 'alterations' | 'submitted' | 'workflowInstanceFilter'>;

export function planValues(plan: AlterationPlan): SqlValue[] {
  const { id, status, alterations, submitted, workflowInstanceFilter, createdAt, startedAt, completedAt } = plan;
  const data: PlanData = { alterations, submitted, workflowInstanceFilter };
  const text = serialize(data, `alteration plan "${id}"`);
  return [id, status, text, time(createdAt), timeOrNull(startedAt), timeOrNull(completedAt)];
}

export function toPlan(row: Row): AlterationPlan {
  return {
    id: toText(row.id),
    ...deserialize<PlanData>(toText(row.data)),
    status: toText(row.status) as AlterationPlan['status'],
    createdAt: toDate(row.created_at),
    startedAt: toOptionalDate(row.started_at),
    completedAt: toOptionalDate(row.completed_at),
  };
}

export function jobValues(job: AlterationJob): SqlValue[] {
  const { id, planId, workflowInstanceId, status, log, createdAt, startedAt, completedAt } = job;
  const times = [time(createdAt), timeOrNull(startedAt), timeOrNull(completedAt)];
  return [id, planId, workflowInstanceId, status, log ? logText(log) : null, ...times];
}

export function logText(log: NonNullable<AlterationJob['log']>): string {
  return serialize(log, 'log of an alteration');
}

export function toJob(row: Row): AlterationJob {
  return {
    id: toText(row.id),
    planId: toText(row.plan_id),
    workflowInstanceId: toText(row.workflow_instance_id),
    status: toText(row.status) as AlterationJob['status'],
    log: row.log === null ? undefined : deserialize<AlterationJob['log']>(toText(row.log)),
    createdAt: toDate(row.created_at),
    startedAt: toOptionalDate(row.started_at),
    completedAt: toOptionalDate(row.completed_at),
  };
}
