import { type WorkflowState } from '@waymark/core';
import { deserialize } from '@waymark/core/adapter';
import { type LoadedInstance, toInstanceRecord, type WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import { columnMap } from '../rows/column-map.js';
import type { Row, SqlValue } from '../database/statement.js';
import { toNumber, toText } from '../rows/column-values.js';
import { date, flag, number, optionalDate, optionalText, text } from '../rows/member-columns.js';
import type { Pause } from '../rows/stored-lines.js';
import { readStateInLines, stateText } from './state-text.js';

const SUMMARY_COLUMNS = {
  id: text('id'),
  definition_id: text('definitionId'),
  definition_version_id: text('definitionVersionId'),
  version: number('version'),
  parent_instance_id: optionalText('parentWorkflowInstanceId'),
  status: text('status'),
  sub_status: text('subStatus'),
  is_executing: flag('isExecuting'),
  correlation_id: optionalText('correlationId'),
  name: optionalText('name'),
  incident_count: number('incidentCount'),
  is_system: flag('isSystem'),
  created_at: date('createdAt'),
  updated_at: date('updatedAt'),
  finished_at: optionalDate('finishedAt'),
};

/** What a list needs: everything but the state, which may be large. */
export const SUMMARY = columnMap<WorkflowInstanceSummary>()(SUMMARY_COLUMNS);

export const INSTANCE = columnMap<LoadedInstance>()({
  ...SUMMARY_COLUMNS,
  state: {
    members: ['state'],
    write: ({ state }) => stateText(state),
    read: (value, instance) => {
      instance.state = deserialize<WorkflowState>(toText(value));
    },
  },
  revision: number('revision'),
});

/** What a commit writes. The last one is of bursts that are stored half-way: the number of their commit, and who continues. */
export const WRITTEN_INSTANCE: readonly string[] = [...INSTANCE.names, 'executed_by'];

/** The value of that: the next commit of the instance makes it void by the number, whatever the version of its node. */
export function executedByText(revision: number, node: string): string {
  return `${revision} ${node}`;
}

/** The values of a row whose state has been made text. */
export function instanceValues(instance: WorkflowInstanceSummary, state: string, revision: number): SqlValue[] {
  return [...SUMMARY.values(instance), state, revision];
}

/** What `INSTANCE` reads, with pauses, of a row with a large state. */
export async function instanceInLines(row: Row, pause: Pause): Promise<LoadedInstance> {
  const state = await readStateInLines(toText(row.state), pause);
  return { ...SUMMARY.record(row), state, revision: toNumber(row.revision) };
}

/** What is read of an instance to resume it. The other columns repeat for searches what its state says. */
export const RESUMED_LIST = 'id, state, revision';

/** @param state as it was read from the row */
export function resumedInstance({ revision }: Row, state: WorkflowState): LoadedInstance {
  return { ...toInstanceRecord(state), revision: toNumber(revision) };
}

/** Where the state stands in a row. */
export const STATE = INSTANCE.names.indexOf('state');
/** Where the revision stands in a row. */
export const REVISION = INSTANCE.names.indexOf('revision');
