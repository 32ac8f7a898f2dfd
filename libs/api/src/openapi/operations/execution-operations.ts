import { executeRequest } from '../../execution/execute-request.js';
import { shapeOf } from '../../requests/reader-schemas.js';
import { bag, integer, listOf, object, ref, text, texts } from '../schemas/words.js';
import { answers, json, nothing, type RouteGroup, WRITTEN } from './route-description.js';

const state = object({ 'workflowState?': ref('WorkflowState') });
const execution = shapeOf(executeRequest).schema;
const { input: _input, variables: _variables, activityHandle: _handle, ...plain } = execution.properties!;
const jsonText = { type: 'string', description: 'JSON text.' } as const;
const executed = {
  ...WRITTEN,
  answers: [{ status: 500, description: 'The workflow is faulted: this is its state.', content: json(state) }],
};
const instances = listOf(ref('InstanceStatus'));

export const EXECUTION_OPERATIONS: RouteGroup = {
  tag: 'Running workflows',
  description: 'Starts instances and resumes them.',
  routes: {
    'GET workflow-definitions/:definitionId/execute': answers(
      'executeWorkflowByQuery',
      'Starts a workflow and returns the result of its first burst',
      state,
      {
        ...executed,
        query: { ...plain, input: jsonText, variables: jsonText, activityHandle: jsonText },
      },
    ),
    'POST workflow-definitions/:definitionId/execute': answers(
      'executeWorkflow',
      'Starts a workflow and returns the result of its first burst',
      state,
      { ...executed, body: { content: json(execution) } },
    ),
    'POST workflow-definitions/:definitionId/dispatch': answers(
      'dispatchWorkflow',
      'Starts a workflow in the background',
      object({ workflowInstanceId: text }),
    ),
    'POST workflow-definitions/:definitionId/bulk-dispatch': answers(
      'dispatchWorkflows',
      'Starts a workflow several times in the background',
      object({ workflowInstanceIds: texts }),
    ),
    'GET events/trigger': nothing('followEventLink', 'Publishes the event that a signed URL names', WRITTEN),
    'POST events/:eventName/trigger': nothing(
      'triggerEvent',
      'Publishes an event to workflows that wait for it or start with it',
      WRITTEN,
    ),
    'GET events/stream': {
      id: 'followChanges',
      summary: 'Streams changes as server-sent events',
      answers: [
        {
          status: 200,
          description:
            'A stream that stays open until the client disconnects. `Last-Event-ID` continues where an earlier one ended.',
          content: { 'text/event-stream': { schema: text } },
        },
      ],
    },
    'POST stimuli': answers(
      'sendStimulus',
      'Sends a stimulus by its name and value',
      object({
        started: instances,
        resumed: instances,
        handedOver: integer,
        refused: texts,
        'queuedItemId?': text,
      }),
      {
        answers: [{ status: 202, description: 'Accepted; the work continues in the background. The answer is empty.' }],
      },
    ),
    'POST tasks/:taskId/complete': nothing('completeTask', 'Reports a task of a workflow as complete'),
    'GET bookmarks/resume': nothing('followResumeLink', 'Resumes the bookmark of a signed URL', WRITTEN),
    'POST bookmarks/resume': nothing('resumeByToken', 'Resumes the bookmark of a signed URL, with an input', {
      ...WRITTEN,
      body: { content: json(object({ 'input?': bag })) },
    }),
    'POST workflow-instances/:id/bookmarks/:bookmarkId/resume': answers(
      'resumeBookmark',
      'Resumes an instance at one of its bookmarks',
      ref('InstanceStatus'),
    ),
    'POST tests/activities': answers(
      'testActivity',
      'Runs a single activity; nothing is stored',
      object({
        'activityState?': bag,
        'outputs?': bag,
        'payload?': bag,
        'exception?': ref('Exception'),
        status: text,
      }),
    ),
  },
};
