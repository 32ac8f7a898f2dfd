import { DEFINITION_OPERATIONS } from './definition-operations.js';
import { DESCRIPTOR_OPERATIONS } from './descriptor-operations.js';
import { EXECUTION_OPERATIONS } from './execution-operations.js';
import { INSTANCE_OPERATIONS } from './instance-operations.js';
import { QUEUE_OPERATIONS, USER_TASK_OPERATIONS } from './queue-operations.js';
import { SCHEDULE_OPERATIONS, SERVER_OPERATIONS } from './server-operations.js';
import type { RouteGroup } from './route-description.js';

/** All routes of the API, in the order in which they are shown. */
export const ROUTE_GROUPS: readonly RouteGroup[] = [
  DEFINITION_OPERATIONS,
  EXECUTION_OPERATIONS,
  INSTANCE_OPERATIONS,
  USER_TASK_OPERATIONS,
  SCHEDULE_OPERATIONS,
  QUEUE_OPERATIONS,
  DESCRIPTOR_OPERATIONS,
  SERVER_OPERATIONS,
];
