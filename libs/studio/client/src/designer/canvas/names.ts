import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';

/** What people call an activity. */
export function nameOf({ metadata, name, id }: ActivityJson): string {
  const text = metadata?.displayText;
  return typeof text === 'string' && text !== '' ? text : name || id;
}

/** `Elsa.WriteLine` is "Write Line". */
export const typeName = (type: string, descriptor: ActivityDescriptor | undefined): string =>
  descriptor?.displayName ||
  type
    .split('.')
    .at(-1)!
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
