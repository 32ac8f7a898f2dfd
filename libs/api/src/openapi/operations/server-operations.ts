import { bag, integer, listOf, object, paged, ref, text, texts } from '../schemas/words.js';
import { answers, json, type RouteGroup } from './route-description.js';

const draining = {
  answers: [{ status: 409, description: 'The runtime is shutting down.', content: json(ref('RuntimeDraining')) }],
};

export const SCHEDULE_OPERATIONS: RouteGroup = {
  tag: 'Schedules',
  description: 'Schedules, and instances that wait for a time.',
  routes: {
    'GET schedules': answers('listSchedules', 'Schedules of workflows', paged(ref('Schedule'))),
    'GET schedules/waiting': answers(
      'listWaitingTimers',
      'Instances that wait for a time',
      object({ items: listOf(ref('WaitingTimer')), 'next?': text }),
    ),
    'GET schedules/:id': answers('getSchedule', 'One schedule', ref('Schedule')),
    'POST schedules/:id/fire': answers(
      'fireSchedule',
      'Starts the workflow now, as the schedule does',
      ref('FiredSchedule'),
    ),
    'POST schedules/:id/pause': answers('pauseSchedule', 'Pauses it on all nodes until it is resumed', ref('Schedule')),
    'POST schedules/:id/resume': answers('resumeSchedule', 'Ends a pause', ref('Schedule')),
  },
};

export const SERVER_OPERATIONS: RouteGroup = {
  tag: 'Server',
  description: 'This node, its users and its features.',
  routes: {
    'GET admin/workflow-runtime/status': answers(
      'getRuntimeStatus',
      'Whether this node accepts work',
      ref('RuntimeStatus'),
    ),
    'POST admin/workflow-runtime/pause': answers('pauseRuntime', 'Pauses this node', ref('RuntimeStatus'), draining),
    'POST admin/workflow-runtime/resume': answers('resumeRuntime', 'Resumes this node', ref('RuntimeStatus'), draining),
    'POST admin/workflow-runtime/force-drain': answers(
      'drainRuntime',
      'Drains this node before it is stopped, waiting for what executes as long as its shutdown would',
      ref('DrainedRuntime'),
    ),
    'GET operations/overview': answers(
      'getOperationsOverview',
      'An overview of what runs, fails and waits',
      ref('OperationsOverview'),
    ),
    'GET operations/nodes': answers(
      'listNodes',
      'The processes that run workflows of this database',
      object({ items: listOf(ref('RuntimeNode')) }),
    ),
    'GET operations/standing/:definitionId': answers(
      'getStanding',
      'Where instances of a definition wait or have failed, node by node',
      ref('DefinitionStanding'),
    ),
    'GET resilience/strategies': answers(
      'listResilienceStrategies',
      'Retry strategies that activities may name',
      object({ items: listOf(object({ id: text, 'displayName?': text, '$type?': text })), count: integer }),
    ),
    'GET resilience/retries/:activityInstanceId': answers(
      'listRetries',
      'The attempts of an activity execution',
      object({ items: listOf(bag), totalCount: integer, links: listOf(ref('Link')) }),
    ),
    'GET package/version': answers('getVersion', 'The version that the API reports', object({ packageVersion: text })),
    'GET features/installed': answers(
      'listFeatures',
      'Features of this server',
      object({ items: listOf(ref('InstalledFeature')), count: integer }),
    ),
    'GET features/installed/:fullName': answers(
      'getFeature',
      'Whether this server has a feature',
      ref('InstalledFeature'),
    ),
    'POST identity/login': answers('login', 'Tokens for a user and password', ref('LoginAnswer')),
    'POST identity/refresh-token': answers('refreshToken', 'New tokens for a refresh token', ref('LoginAnswer')),
    'GET identity/me': answers(
      'whoAmI',
      'Who makes the request, and what they may do',
      object({ kind: text, id: text, name: text, roles: texts, permissions: texts }),
    ),
    'GET identity/users': answers(
      'listUsers',
      'Who may log in',
      object({ users: listOf(object({ id: text, name: text, roles: texts, tenantId: text })) }),
    ),
    'GET identity/roles': answers(
      'listRoles',
      'Roles and their permissions',
      object({ roles: listOf(object({ id: text, name: text, permissions: texts })) }),
    ),
    'GET openapi.json': answers('getOpenApi', 'This document', { ...bag, description: 'An OpenAPI document.' }),
  },
};
