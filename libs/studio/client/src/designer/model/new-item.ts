import { INSTANCE_STORAGE } from '../../api/storage.js';
import { newId } from './new-activity.js';

export type ListName = 'variables' | 'inputs' | 'outputs';

type Item = Readonly<Record<string, unknown>>;

/**
 * A new variable, input or output, with a free name. Variables and inputs are kept with the instance: without a storage they are lost when
 * the workflow waits, which authors would find out in production.
 */
export function newItem(list: ListName, prefix: string, items: readonly Item[]): Item {
  const names = new Set(items.map(({ name }) => name));
  let number = 1;
  while (names.has(`${prefix}${number}`)) number += 1;
  const name = `${prefix}${number}`;
  if (list === 'variables')
    return { id: newId(), name, typeName: 'Object', isArray: false, storageDriverTypeName: INSTANCE_STORAGE };
  const own = { name, displayName: name, type: 'Object' };
  return list === 'inputs' ? { ...own, storageDriverType: INSTANCE_STORAGE } : own;
}
