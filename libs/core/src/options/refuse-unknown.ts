import { nearestName } from './nearest-name.js';
import { UnknownOptionError } from './option-errors.js';

/**
 * Refuses options with unknown names, which would silently leave the default in effect.
 * @param owner what has the options, as the message says it, such as `WorkflowModule`
 * @param known an object with a member for each name
 * @throws UnknownOptionError (`WM1091`) with the name, and the known one that is nearest, or all where none is near
 */
export function refuseUnknown(owner: string, options: object | null | undefined, known: object): void {
  const names = Object.keys(known);
  for (const name of Object.keys(options ?? {}))
    if (!Object.hasOwn(known, name)) throw new UnknownOptionError(owner, name, nearestName(name, names), names);
}
