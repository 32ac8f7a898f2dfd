import { isKept } from '../../api/storage.js';
import { newItem } from './new-item.js';

it('a new variable has a free name and is kept when the workflow waits', () => {
  const item = newItem('variables', 'Variable', [{ name: 'Variable1' }, { name: 'Variable3' }]);
  expect(item).toMatchObject({ name: 'Variable2', typeName: 'Object', isArray: false });
  expect(isKept(item.storageDriverTypeName)).toBe(true);
});

it('a new input is kept with the instance, and a new output has no storage of its own', () => {
  expect(isKept(newItem('inputs', 'Input', []).storageDriverType)).toBe(true);
  expect(newItem('outputs', 'Output', [])).toEqual({ name: 'Output1', displayName: 'Output1', type: 'Object' });
});

it.each([
  ['WorkflowInstanceStorageDriver', true],
  ['Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core', true],
  ['Elsa.Workflows.Services.WorkflowStorageDriver, Elsa.Workflows.Core', true],
  ['EncryptedStorageDriver', true],
  ['MemoryStorageDriver', false],
  ['', false],
  [null, false],
  [undefined, false],
])('a value in the storage %s is kept with the instance: %s', (driver, expected) => {
  expect(isKept(driver)).toBe(expected);
});
