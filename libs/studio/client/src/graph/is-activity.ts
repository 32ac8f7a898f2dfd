import type { ActivityJson } from '../api/definitions.js';

export function isActivity(value: unknown): value is ActivityJson {
  const { id, type } = (value ?? {}) as Partial<ActivityJson>;
  // Expressions have a type as well, and no id.
  return typeof id === 'string' && typeof type === 'string' && type !== '';
}
