import { setMember } from '../values/plain-object.js';

/**
 * The same as `setMember`, for inputs and outputs of executions only: they have few shapes. Through `setMember`, which meets objects of
 * all shapes, assigning one member took 2.5 % of the time of a step.
 */
export function noteMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') setMember(target, name, value);
  else target[name] = value;
}
