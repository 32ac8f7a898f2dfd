import { COMMON_SCHEMAS } from './common-schemas.js';
import { DEFINITION_SCHEMAS } from './definition-schemas.js';
import { DESCRIPTOR_SCHEMAS } from './descriptor-schemas.js';
import { INSTANCE_SCHEMAS } from './instance-schemas.js';
import { OPERATION_SCHEMAS } from './operation-schemas.js';
import { TASK_SCHEMAS } from './task-schemas.js';
import type { Schemas } from './words.js';

/** What the API answers, by name. */
export const SCHEMAS: Schemas = {
  ...COMMON_SCHEMAS,
  ...DEFINITION_SCHEMAS,
  ...INSTANCE_SCHEMAS,
  ...DESCRIPTOR_SCHEMAS,
  ...OPERATION_SCHEMAS,
  ...TASK_SCHEMAS,
};
