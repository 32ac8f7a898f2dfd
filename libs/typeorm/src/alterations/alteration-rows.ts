import { deserialize } from '@waymark/core/adapter';
import type { AlterationJob, AlterationPlan } from '@waymark/runtime';
import type { Row } from '../database/statement.js';
import { columnMap } from '../rows/column-map.js';
import { toFlag, toText } from '../rows/column-values.js';
import { date, optionalDate, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

/** What is only read back, never searched. */
type PlanData = Pick<AlterationPlan, 'alterations' | 'submitted' | 'submittedBy' | 'workflowInstanceFilter'>;

export const PLAN = columnMap<Omit<AlterationPlan, 'unreadable' | 'isCancelled'>>()({
  id: text('id'),
  status: text('status'),
  data: {
    members: ['alterations', 'submitted', 'submittedBy', 'workflowInstanceFilter'],
    write: ({ id, alterations, submitted, submittedBy, workflowInstanceFilter }) => {
      const data: PlanData = { alterations, submitted, workflowInstanceFilter };
      if (submittedBy !== undefined) Object.assign(data, { submittedBy });
      return serialize(data, `alteration plan "${id}"`);
    },
    read: (value, plan) => {
      Object.assign(plan, deserialize<PlanData>(toText(value)));
    },
  },
  created_at: date('createdAt'),
  started_at: optionalDate('startedAt'),
  completed_at: optionalDate('completedAt'),
});

/** What `toPlan` reads. */
export const PLAN_COLUMNS = `${PLAN.list}, is_selected`;

/** A damaged plan must not keep the others away. What cannot be read of it selects and alters nothing. */
export function toPlan(row: Row): AlterationPlan {
  const read: AlterationPlan = PLAN.listed(row);
  // One whose instances cannot be found has failed before all were.
  const plan = read.status === 'Failed' && toFlag(row.is_selected) ? { ...read, isCancelled: true } : read;
  return plan.unreadable ? { ...plan, alterations: [], submitted: [], workflowInstanceFilter: {} } : plan;
}

export const JOB = columnMap<Omit<AlterationJob, 'unreadable'>>()({
  id: text('id'),
  plan_id: text('planId'),
  workflow_instance_id: text('workflowInstanceId'),
  status: text('status'),
  log: {
    members: ['log'],
    write: ({ log }) => (log ? logText(log) : null),
    read: (value, job) => {
      if (value !== null) job.log = deserialize<AlterationJob['log']>(toText(value));
    },
  },
  created_at: date('createdAt'),
  started_at: optionalDate('startedAt'),
  completed_at: optionalDate('completedAt'),
});

export function logText(log: NonNullable<AlterationJob['log']>): string {
  return serialize(log, 'log of an alteration');
}
