import { InvalidOptionError } from '@waymark/core';
import { optionKinds } from '@waymark/core/adapter';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowRuntimeOptions } from './runtime-options.js';

type Given = WorkflowRuntimeOptions['persistence'];

/**
 * The value may hold a password, and is not shown.
 * @throws InvalidOptionError (`WM1090`) for what is neither a persistence nor a provider of one
 */
export function requirePersistence(given: Given): Given {
  // Also of those who write JavaScript.
  const value: unknown = given;
  if (value === undefined || value === null || value instanceof WorkflowPersistence) return given;
  if (typeof value === 'object' && 'useFactory' in value && typeof value.useFactory === 'function') return given;
  throw new InvalidOptionError(
    'WorkflowModule',
    'persistence',
    'a WorkflowPersistence, such as TypeOrmPersistence.fromUrl(…), or a provider with useFactory',
    optionKinds.described(value),
  );
}
