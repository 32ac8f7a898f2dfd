import { listOf, object, paged, ref, text } from '../schemas/words.js';
import { answers, json, noContent, nothing, PLANNED, type RouteGroup } from './route-description.js';

const planned = { answers: [PLANNED] };
const bulk = (id: string, summary: string) => answers(id, summary, ref('BulkAnswer'), planned);
const conflict = {
  answers: [
    {
      status: 409,
      description: 'It was already replayed, or cannot be replayed.',
      content: json(ref('StimulusNotReplayed')),
    },
  ],
};

export const QUEUE_OPERATIONS: RouteGroup = {
  tag: 'Queues and plans',
  description: 'Messages and stimuli that failed, and work on many instances.',
  routes: {
    'GET bookmark-queue/dead-letters': answers(
      'listStimulusDeadLetters',
      'Stimuli that could not be delivered',
      paged(ref('StimulusDeadLetter')),
    ),
    'POST bookmark-queue/dead-letters': answers(
      'findStimulusDeadLetters',
      'Stimuli that could not be delivered',
      paged(ref('StimulusDeadLetter')),
    ),
    'GET bookmark-queue/dead-letters/:id': answers(
      'getStimulusDeadLetter',
      'A stimulus that could not be delivered',
      ref('StimulusDeadLetter'),
    ),
    'DELETE bookmark-queue/dead-letters/:id': noContent(
      'deleteStimulusDeadLetter',
      'Deletes a stimulus that could not be delivered',
    ),
    'POST bookmark-queue/dead-letters/:id/replay': answers(
      'replayStimulusDeadLetter',
      'Queues a stimulus again; it is delivered then, or later',
      ref('StimulusReplay'),
      conflict,
    ),
    'GET outbox/dead-letters': answers(
      'listMessageDeadLetters',
      'Messages that failed permanently',
      paged(ref('MessageDeadLetter')),
    ),
    'POST outbox/dead-letters': answers(
      'findMessageDeadLetters',
      'Messages that failed permanently',
      paged(ref('MessageDeadLetter')),
    ),
    'GET outbox/dead-letters/:id': answers(
      'getMessageDeadLetter',
      'A message that failed permanently',
      ref('MessageDeadLetter'),
    ),
    'DELETE outbox/dead-letters/:id': noContent('deleteMessageDeadLetter', 'Deletes a message that failed for good'),
    'POST outbox/dead-letters/:id/replay': nothing('replayMessageDeadLetter', 'Tries a message again'),
    'POST bulk-actions/replay/outbox/dead-letters': bulk('replayMessages', 'Tries messages again'),
    'POST bulk-actions/delete/outbox/dead-letters': bulk('deleteMessages', 'Deletes messages that failed for good'),
    'POST bulk-actions/replay/bookmark-queue/dead-letters': bulk('replayStimuli', 'Tries to deliver stimuli again'),
    'POST bulk-actions/delete/bookmark-queue/dead-letters': bulk(
      'deleteStimuli',
      'Deletes stimuli that could not be delivered',
    ),
    'GET bulk-actions/plans': answers('listBulkPlans', 'Bulk plans', paged(ref('BulkPlan'))),
    'GET bulk-actions/plans/:id': answers('getBulkPlan', 'The progress of a plan', ref('BulkPlan')),
    'POST bulk-actions/plans/:id/cancel': answers(
      'cancelBulkPlan',
      'Cancels a plan; finished batches stay as they are',
      ref('BulkPlan'),
    ),
  },
};

const task = (id: string, summary: string) => answers(id, summary, ref('UserTask'));

export const USER_TASK_OPERATIONS: RouteGroup = {
  tag: 'User tasks',
  description: 'Tasks for people, on behalf of the user who makes the request.',
  routes: {
    'GET user-tasks': answers(
      'listUserTasks',
      'Tasks that the user may see',
      object({ items: listOf(ref('UserTask')), 'next?': text }),
    ),
    'GET user-tasks/:id': task('getUserTask', 'One task'),
    'GET user-tasks/:id/history': answers(
      'getUserTaskHistory',
      'The history of a task',
      object({ events: listOf(ref('UserTaskEvent')), 'next?': text }),
    ),
    'POST user-tasks/:id/claim': task('claimUserTask', 'Claims an unclaimed task'),
    'POST user-tasks/:id/release': task('releaseUserTask', 'Releases a task to its candidates'),
    'POST user-tasks/:id/delegate': task('delegateUserTask', 'Delegates a task to another user'),
    'POST user-tasks/:id/comments': task('commentUserTask', 'Adds a comment'),
    'POST user-tasks/:id/complete': task('completeUserTask', 'Completes a task'),
  },
};
