import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowRuntimeOptions } from './runtime-options.js';

type Given = WorkflowRuntimeOptions['persistence'];

/** @throws TypeError for what is neither a persistence nor a provider of one; the value may hold a password, and is not shown */
export function requirePersistence(given: Given): Given {
  // Also of those who write JavaScript.
  const value: unknown = given;
  if (value === undefined || value === null || value instanceof WorkflowPersistence) return given;
  if (typeof value === 'object' && 'useFactory' in value && typeof value.useFactory === 'function') return given;
  throw new TypeError(
    `WorkflowModule option 'persistence' is a WorkflowPersistence, such as TypeOrmPersistence.fromUrl(…), or a provider with useFactory, not a ${typeof value}.`,
  );
}
