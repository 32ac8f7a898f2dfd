import { bag, integer, listOf, object, paged, ref, text, texts } from '../schemas/words.js';
import { answers, type RouteGroup } from './route-description.js';

export const SCHEDULE_OPERATIONS: RouteGroup = {
  tag: 'Schedules',
  description: 'What starts workflows at times, and instances that wait for one.',
  routes: {
    'GET schedules': answers('listSchedules', 'What starts workflows at times', paged(ref('Schedule'))),
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
    'POST schedules/:id/pause': answers('pauseSchedule', 'Has no node fire it until it is resumed', ref('Schedule')),
    'POST schedules/:id/resume': answers('resumeSchedule', 'Ends a pause', ref('Schedule')),
  },
};

export const SERVER_OPERATIONS: RouteGroup = {
  tag: 'Server',
  description: 'This node, who may use it, and what it can do.',
  routes: {
    'GET admin/workflow-runtime/status': answers(
      'getRuntimeStatus',
      'Whether this node takes work',
      ref('RuntimeStatus'),
    ),
    'POST admin/workflow-runtime/pause': answers('pauseRuntime', 'Has this node take no work', ref('RuntimeStatus')),
    'POST admin/workflow-runtime/resume': answers(
      'resumeRuntime',
      'Has this node take work again',
      ref('RuntimeStatus'),
    ),
    'POST admin/workflow-runtime/force-drain': answers(
      'drainRuntime',
      'Waits for what runs on this node, before it is stopped',
      ref('RuntimeStatus'),
    ),
    'GET operations/overview': answers(
      'getOperationsOverview',
      'What runs, fails and waits, at one look',
      ref('OperationsOverview'),
    ),
    'GET operations/nodes': answers(
      'listNodes',
      'The processes that run workflows of this database',
      object({ items: listOf(ref('RuntimeNode')) }),
    ),
    'GET operations/standing/:definitionId': answers(
      'getStanding',
      'Where in a definition its instances wait and failed, node by node',
      ref('DefinitionStanding'),
    ),
    'GET resilience/strategies': answers(
      'listResilienceStrategies',
      'Strategies that activities may name to be tried again',
      object({ items: listOf(object({ id: text, 'displayName?': text, '$type?': text })), count: integer }),
    ),
    'GET resilience/retries/:activityInstanceId': answers(
      'listRetries',
      'How often an execution of an activity was tried',
      object({ items: listOf(bag), totalCount: integer, links: listOf(ref('Link')) }),
    ),
    'GET package/version': answers('getVersion', 'The version that the API reports', object({ packageVersion: text })),
    'GET features/installed': answers(
      'listFeatures',
      'What this server can do',
      object({ items: listOf(ref('InstalledFeature')), count: integer }),
    ),
    'GET features/installed/:fullName': answers(
      'getFeature',
      'Whether this server has a feature',
      ref('InstalledFeature'),
    ),
    'POST identity/login': answers('login', 'Tokens for a user and password', ref('LoginAnswer')),
    'POST identity/refresh-token': answers('refreshToken', 'New tokens for a refresh token', ref('LoginAnswer')),
    'GET identity/users': answers(
      'listUsers',
      'Who may log in',
      object({ users: listOf(object({ id: text, name: text, roles: texts, tenantId: text })) }),
    ),
    'GET identity/roles': answers(
      'listRoles',
      'Roles, and what all who have one may do',
      object({ roles: listOf(object({ id: text, name: text, permissions: texts })) }),
    ),
    'GET openapi.json': answers('getOpenApi', 'This document', { ...bag, description: 'An OpenAPI document.' }),
  },
};
