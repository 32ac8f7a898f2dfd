/** Who may call a route. */
export type Access =
  | 'everyone'
  /** Needs no login, but a link that the host has signed. */
  | 'signed link'
  /** The refresh token of a login, whatever the user may do. */
  | 'refresh token'
  | {
      /** One of these is enough. */
      readonly permissions: readonly string[];
      /** What others are answered who are logged in; those who are not get 401. */
      readonly refusal: 401 | 403;
    };

const needs = (...permissions: string[]): Access => ({ permissions, refusal: 403 });
/** Workflows do not tell who is not let in from who is not known. */
const endpointNeeds = (permission: string): Access => ({ permissions: [permission], refusal: 401 });

/** Routes of the reference host and its sample workflows. `*` is every verb. */
const HOST: Readonly<Record<string, Access>> = {
  // Links only.
  'GET /': 'everyone',
  'GET /health': 'everyone',
  'GET /health/live': 'everyone',
  'GET /health/ready': 'everyone',
  // Pages that hold nothing: what they show, they ask the API for.
  'GET /studio': 'everyone',
  'GET /studio/*': 'everyone',
  // The page and its form; the other is what the page shows of workflows.
  'DELETE /elsa/hubs/workflow-instance': needs('read:workflow-instances'),
  'GET /elsa/hubs/workflow-instance': needs('read:workflow-instances'),
  'POST /elsa/hubs/workflow-instance': needs('read:workflow-instances'),
  'POST /elsa/hubs/workflow-instance/negotiate': needs('read:workflow-instances'),
  'GET /docs': needs('read:openapi', 'read:*'),
  'POST /docs': needs('read:openapi', 'read:*'),
  'GET /docs/endpoints.json': needs('read:openapi', 'read:*'),
  // Preflights of CORS.
  'OPTIONS *': 'everyone',
  'POST /leave-requests/:requestId/:step': needs('decide:leave-requests'),
  // Where no workflow is: 404. Those that are stand below, and are let in or not by their own inputs.
  '* /workflows': 'everyone',
  '* /workflows/*': 'everyone',
  'GET /workflows/hello/{name}': 'everyone',
  'POST /workflows/leave-requests': endpointNeeds('call:http-endpoints'),
  'POST /workflows/travel-bookings': endpointNeeds('call:http-endpoints'),
  'GET /workflows/leave-requests/{id}': endpointNeeds('call:http-endpoints'),
  // Of the specification itself.
  'GET /workflows/for-managers': endpointNeeds('policy:managers'),
  // Files that anyone may have; what they show they ask the API for.
  '* /elsa-studio': 'everyone',
  '* /elsa-studio/*': 'everyone',
  // 404, or 405 for a path that has other verbs.
  '* /elsa/api/*': 'everyone',
};

/** Below /elsa/api. */
const API: readonly (readonly [access: Access, ...routes: string[]])[] = [
  ['everyone', 'GET package/version', 'POST identity/login'],
  ['signed link', 'GET bookmarks/resume', 'POST bookmarks/resume', 'GET events/trigger'],
  ['refresh token', 'POST identity/refresh-token'],
  [needs(), 'GET identity/me'],
  [
    needs('ManageWorkflowRuntime'),
    'POST admin/workflow-runtime/force-drain',
    'POST admin/workflow-runtime/pause',
    'POST admin/workflow-runtime/resume',
  ],
  [needs('actions:workflow-definitions:refresh'), 'POST actions/workflow-definitions/refresh'],
  [needs('actions:workflow-definitions:reload'), 'POST actions/workflow-definitions/reload'],
  [needs('read:openapi', 'read:*'), 'GET openapi.json'],
  [needs('cancel:bulk-plans'), 'POST bulk-actions/plans/:id/cancel'],
  [
    needs('cancel:workflow-instances'),
    'POST bulk-actions/cancel/workflow-instances',
    'POST cancel/workflow-instances/:id',
  ],
  [
    needs('delete:bookmark-queue:dead-letters'),
    'DELETE bookmark-queue/dead-letters/:id',
    'POST bulk-actions/delete/bookmark-queue/dead-letters',
  ],
  [
    needs('delete:outbox:dead-letters'),
    'POST bulk-actions/delete/outbox/dead-letters',
    'DELETE outbox/dead-letters/:id',
  ],
  [
    needs('delete:workflow-definitions'),
    'POST bulk-actions/delete/workflow-definitions/by-definition-id',
    'POST bulk-actions/delete/workflow-definitions/by-id',
    'DELETE workflow-definition-versions/:id',
    'DELETE workflow-definitions/:definitionId',
    'DELETE workflow-definitions/:definitionId/version/:version',
  ],
  [
    needs('delete:workflow-instances'),
    'POST bulk-actions/delete/workflow-instances',
    'POST bulk-actions/delete/workflow-instances/by-id',
    'DELETE workflow-instances/:id',
  ],
  [needs('exec:tests'), 'POST tests/activities'],
  [
    needs('exec:workflow-definitions'),
    'POST workflow-definitions/:definitionId/bulk-dispatch',
    'POST workflow-definitions/:definitionId/dispatch',
    'GET workflow-definitions/:definitionId/execute',
    'POST workflow-definitions/:definitionId/execute',
  ],
  [needs('manage:schedules'), 'POST schedules/:id/fire', 'POST schedules/:id/pause', 'POST schedules/:id/resume'],
  [
    needs('publish:workflow-definitions'),
    'POST bulk-actions/publish/workflow-definitions/by-definition-ids',
    'POST workflow-definitions/:definitionId/publish',
    'POST workflow-definitions/:definitionId/revert/:version',
    'POST workflow-definitions/:definitionId/update-references',
  ],
  [
    needs('read:activity-descriptors', 'read:*'),
    'GET descriptors/activities',
    'GET descriptors/activities/:typeName',
    'POST descriptors/activities/:typeName/due-times',
  ],
  [needs('read:activity-descriptors-options', 'read:*'), 'POST descriptors/activities/:typeName/options/:propertyName'],
  [
    needs('read:activity-execution'),
    'GET activity-execution-summaries/list',
    'GET activity-executions/:id',
    'GET activity-executions/:id/call-stack',
    'GET activity-executions/by-id',
    'GET activity-executions/count',
    'GET activity-executions/list',
    'POST activity-executions/report',
  ],
  [needs('read:alterations'), 'GET alterations/:id'],
  [needs('read:audit'), 'GET audit', 'GET audit/export', 'GET audit/status'],
  [
    needs('read:bookmark-queue:dead-letters'),
    'GET bookmark-queue/dead-letters',
    'POST bookmark-queue/dead-letters',
    'GET bookmark-queue/dead-letters/:id',
  ],
  [needs('read:bulk-plans'), 'GET bulk-actions/plans', 'GET bulk-actions/plans/:id'],
  [
    needs('read:commit-strategies', 'read:*'),
    'GET descriptors/commit-strategies/activities',
    'GET descriptors/commit-strategies/workflows',
  ],
  [needs('read:expression-descriptors', 'read:*'), 'GET descriptors/expression-descriptors'],
  [needs('read:incident-strategies', 'read:*'), 'GET descriptors/incident-strategies'],
  [needs('read:installed-features', 'read:*'), 'GET features/installed', 'GET features/installed/:fullName'],
  [needs('read:javascript-type-definitions', 'read:*'), 'POST scripting/javascript/type-definitions/:definitionId'],
  [needs('read:log-persistence-strategies', 'read:*'), 'GET descriptors/log-persistence-strategies'],
  [
    needs('read:outbox:dead-letters'),
    'GET outbox/dead-letters',
    'POST outbox/dead-letters',
    'GET outbox/dead-letters/:id',
  ],
  [needs('read:output-converters', 'read:*'), 'GET descriptors/output-converters'],
  [needs('read:resilience:strategies', 'read:resilience', 'read:*'), 'GET resilience/strategies'],
  [needs('read:resilience:retries', 'read:resilience', 'read:*'), 'GET resilience/retries/:activityInstanceId'],
  [needs('read:role'), 'GET identity/roles'],
  [needs('read:schedules'), 'GET schedules', 'GET schedules/:id', 'GET schedules/waiting'],
  [needs('read:storage-drivers', 'read:*'), 'GET descriptors/storage-drivers'],
  [needs('read:user'), 'GET identity/users'],
  [needs('read:variable-descriptors', 'read:*'), 'GET descriptors/variables'],
  [needs('read:workflow-activation-strategies', 'read:*'), 'GET descriptors/workflow-activation-strategies'],
  [
    needs('read:workflow-definitions'),
    'GET bulk-actions/export/workflow-definitions',
    'POST bulk-actions/export/workflow-definitions',
    'GET workflow-definitions/:definitionId/export',
    'POST workflow-definitions/:definitionId/export',
  ],
  [
    needs('read:workflow-definitions', 'read:*'),
    'GET workflow-definitions/subgraph/:id',
    'GET workflow-definitions/subgraph/segments/:id',
    'GET workflow-definitions',
    'GET workflow-definitions/:definitionId',
    'GET workflow-definitions/:definitionId/consumers',
    'GET workflow-definitions/:definitionId/versions',
    'GET workflow-definitions/by-definition-id/:definitionId',
    'GET workflow-definitions/by-id/:id',
    'GET workflow-definitions/many-by-id',
    'GET workflow-definitions/query/count',
    'GET workflow-definitions/validation/is-name-unique',
  ],
  [
    needs('read:workflow-instances'),
    'GET bulk-actions/export/workflow-instances',
    'POST bulk-actions/export/workflow-instances',
    'GET workflow-instances',
    'POST workflow-instances',
    'GET workflow-instances/:id',
    'GET workflow-instances/:id/execution-state',
    'GET workflow-instances/:id/export',
    'POST workflow-instances/:id/export',
    'GET workflow-instances/:id/journal',
    'POST workflow-instances/:id/journal',
    'GET workflow-instances/:id/journal/:activityId',
    'GET workflow-instances/:id/journal/values/:hash',
    'GET workflow-instances/:id/variables',
    'GET operations/standing/:definitionId',
  ],
  [
    needs('read:workflow-runtime', 'ManageWorkflowRuntime'),
    'GET admin/workflow-runtime/status',
    'GET operations/nodes',
    'GET operations/overview',
  ],
  [
    needs('replay:bookmark-queue:dead-letters'),
    'POST bookmark-queue/dead-letters/:id/replay',
    'POST bulk-actions/replay/bookmark-queue/dead-letters',
  ],
  [
    needs('replay:outbox:dead-letters'),
    'POST bulk-actions/replay/outbox/dead-letters',
    'POST outbox/dead-letters/:id/replay',
  ],
  [
    needs('retract:workflow-definitions'),
    'POST bulk-actions/retract/workflow-definitions/by-definition-ids',
    'POST workflow-definitions/:definitionId/retract',
  ],
  [
    needs('run:alterations'),
    'POST alterations/migrations/dry-run',
    'POST alterations/dry-run',
    'POST alterations/run',
    'POST alterations/submit',
    'POST alterations/:id/cancel',
    'GET alterations/workflows/retry',
    'POST alterations/workflows/retry',
  ],
  [needs('tasks:complete'), 'POST tasks/:taskId/complete'],
  [needs('read:user-tasks', 'manage:user-tasks'), 'GET user-tasks', 'GET user-tasks/:id', 'GET user-tasks/:id/history'],
  [
    needs('complete:user-tasks', 'manage:user-tasks'),
    'POST user-tasks/:id/claim',
    'POST user-tasks/:id/comments',
    'POST user-tasks/:id/complete',
    'POST user-tasks/:id/delegate',
    'POST user-tasks/:id/release',
  ],
  // Tells of what the routes of these permissions show.
  [
    needs(
      'read:workflow-instances',
      'read:workflow-definitions',
      'read:*',
      'read:workflow-runtime',
      'ManageWorkflowRuntime',
    ),
    'GET events/stream',
  ],
  [needs('trigger:event'), 'POST events/:eventName/trigger'],
  [needs('send:stimuli'), 'POST stimuli'],
  [
    needs('write:workflow-definitions'),
    'POST workflow-definitions',
    'POST workflow-definitions/:definitionId/import',
    'PUT workflow-definitions/:definitionId/import',
    'POST workflow-definitions/import',
    'PUT workflow-definitions/import',
    'POST workflow-definitions/import-files',
    'POST workflow-definitions/validate',
  ],
  [needs('resume:workflow-instances'), 'POST workflow-instances/:id/bookmarks/:bookmarkId/resume'],
  [
    needs('write:workflow-instances'),
    'POST bulk-actions/import/workflow-instances',
    'POST workflow-instances/:id/variables',
  ],
];

/** Who may call which route: `METHOD /path`. A route that is not here fails the specification. */
export const ACCESS: Readonly<Record<string, Access>> = {
  ...HOST,
  ...Object.fromEntries(
    API.flatMap(([access, ...routes]) => routes.map((route) => [route.replace(' ', ' /elsa/api/'), access])),
  ),
};
