import { anything, date, flag, integer, listed, listOf, object, paged, ref, text } from '../schemas/words.js';
import { answers, file, noContent, nothing, PLANNED, plannedAs, type RouteGroup, UPLOAD } from './route-description.js';

const archive = ['application/octet-stream', 'application/zip'];
const nothingFound = { status: 204, description: 'None of them is known.' };
const planned = { answers: [PLANNED] };
const altered = object({ results: listOf(ref('AlterationResult')), 'planId?': text });
const alteredByPlan = { answers: [plannedAs(altered)] };
const executions = (item: string) => object({ items: listOf(ref(item)), count: integer, 'totalCount?': integer });

/** One page, and where the next one begins. */
const INSTANCE_PAGE = object({
  items: listOf(ref('WorkflowInstanceRow')),
  totalCount: integer,
  'isTotalLowerBound?': flag,
  'next?': text,
  'searchedSince?': date,
  'searchedUntil?': date,
});

export const INSTANCE_OPERATIONS: RouteGroup = {
  tag: 'Workflow instances',
  description: 'Running and finished instances, and their journals.',
  routes: {
    'GET workflow-instances': answers('listWorkflowInstances', 'Lists instances', INSTANCE_PAGE),
    'POST workflow-instances': answers('findWorkflowInstances', 'Lists instances', INSTANCE_PAGE),
    'GET workflow-instances/:id': answers('getWorkflowInstance', 'An instance with its state', ref('WorkflowInstance')),
    'DELETE workflow-instances/:id': noContent('deleteWorkflowInstance', 'Deletes an instance'),
    'GET workflow-instances/:id/execution-state': answers(
      'getExecutionState',
      'The status of an instance',
      ref('ExecutionState'),
    ),
    'GET workflow-instances/:id/export': file('downloadWorkflowInstance', 'An instance as a file', archive),
    'POST workflow-instances/:id/export': file('exportWorkflowInstance', 'An instance as a file', archive),
    'GET bulk-actions/export/workflow-instances': file(
      'downloadWorkflowInstances',
      'Instances as files in a zip file',
      archive,
      { answers: [nothingFound] },
    ),
    'POST bulk-actions/export/workflow-instances': file(
      'exportWorkflowInstances',
      'Instances as files in a zip file',
      archive,
      { answers: [nothingFound] },
    ),
    'POST bulk-actions/import/workflow-instances': answers(
      'importWorkflowInstances',
      'Imports files of instances, replacing those with the same ids that have ended or are as the file has them',
      object({
        imported: integer,
        count: integer,
        'warnings?': { type: 'object', additionalProperties: listOf(text) },
        'failures?': listOf(ref('BulkFailure')),
      }),
      {
        description:
          'Each file is JSON, as an export of an instance writes it, or a zip file of such files. An instance that runs and has gone on since is ' +
          'set back only with `replace`.',
        body: UPLOAD,
      },
    ),
    'GET workflow-instances/:id/variables': answers(
      'listInstanceVariables',
      'Variables of an instance',
      listed(ref('InstanceVariable')),
    ),
    'POST workflow-instances/:id/variables': answers(
      'changeInstanceVariables',
      'Sets variables of an instance',
      listed(ref('InstanceVariable')),
    ),
    'GET workflow-instances/:id/journal': answers(
      'listJournal',
      'What happened in an instance, in order',
      paged(ref('JournalRecord')),
    ),
    'POST workflow-instances/:id/journal': answers(
      'findJournal',
      'What happened in an instance, in order, by a filter',
      paged(ref('JournalRecord')),
    ),
    'GET workflow-instances/:id/journal/:activityId': answers(
      'getLastJournalEntry',
      'The last entry of an activity',
      ref('JournalEntry'),
    ),
    'GET workflow-instances/:id/journal/values/:hash': answers(
      'getJournalValue',
      'A large value that another answer only referred to',
      object({ journalValue: text, 'value?': anything }),
    ),
    'POST cancel/workflow-instances/:id': nothing('cancelWorkflowInstance', 'Cancels an instance'),
    'POST bulk-actions/cancel/workflow-instances': answers(
      'cancelWorkflowInstances',
      'Cancels instances',
      ref('BulkAnswer'),
      planned,
    ),
    'POST bulk-actions/delete/workflow-instances': answers(
      'deleteWorkflowInstances',
      'Deletes instances',
      ref('BulkAnswer'),
      planned,
    ),
    'POST bulk-actions/delete/workflow-instances/by-id': answers(
      'deleteWorkflowInstancesById',
      'Deletes instances',
      ref('BulkAnswer'),
      planned,
    ),
    'GET activity-executions/list': answers(
      'listActivityExecutions',
      'Executions of activities in one instance',
      executions('ActivityExecution'),
    ),
    'GET activity-execution-summaries/list': answers(
      'listActivityExecutionSummaries',
      'The same without inputs and outputs',
      executions('ActivityExecutionSummary'),
    ),
    'GET activity-executions/count': answers(
      'countActivityExecutions',
      'How many executions there are',
      object({ count: integer }),
    ),
    'GET activity-executions/by-id': answers('findActivityExecution', 'One execution', ref('ActivityExecution')),
    'GET activity-executions/:id': answers('getActivityExecution', 'One execution', ref('ActivityExecution')),
    'GET activity-executions/:id/call-stack': answers(
      'getCallStack',
      'The executions that led to this one',
      object({ activityExecutionId: text, items: listOf(ref('ActivityExecution')), totalCount: integer }),
    ),
    'POST activity-executions/report': answers(
      'reportActivityExecutions',
      'Summary of each activity of an instance',
      object({ stats: listOf(ref('ActivityStatistics')) }),
    ),
    'POST alterations/dry-run': answers(
      'findInstancesToAlter',
      'Which instances a filter selects',
      object({ workflowInstanceIds: listOf(text) }),
    ),
    'POST alterations/migrations/dry-run': answers(
      'tryMigration',
      'What a migration to another version would do',
      object({ reports: listOf(ref('MigrationReport')) }),
    ),
    'POST alterations/run': answers(
      'alterInstances',
      'Repairs instances, many in the background',
      altered,
      alteredByPlan,
    ),
    'POST alterations/submit': answers(
      'submitAlterations',
      'Repairs instances in the background',
      object({ planId: text }),
    ),
    'GET alterations/workflows/retry': answers(
      'retryInstancesByQuery',
      'Retries the failed activities of instances',
      altered,
      alteredByPlan,
    ),
    'POST alterations/workflows/retry': answers(
      'retryInstances',
      'Retries the failed activities of instances',
      altered,
      alteredByPlan,
    ),
    'POST alterations/:id/cancel': answers(
      'cancelAlterations',
      'Ends a repair in the background; jobs that have not begun fail',
      object({ plan: ref('AlterationPlan'), jobs: listOf(ref('AlterationJob')) }),
    ),
    'GET alterations/:id': answers(
      'getAlterationPlan',
      'The progress of a repair',
      object({ plan: ref('AlterationPlan'), jobs: listOf(ref('AlterationJob')) }),
    ),
  },
};
