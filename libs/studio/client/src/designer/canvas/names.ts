import type { ActivityDescriptor } from '../../api/descriptors.js';

export { nameOf } from '../../graph/name-of-activity.js';

/** `Elsa.WriteLine` is "Write Line". */
export const typeName = (type: string, descriptor: ActivityDescriptor | undefined): string =>
  descriptor?.displayName ||
  type
    .split('.')
    .at(-1)!
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
