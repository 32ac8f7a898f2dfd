export { definePersistenceContract, type PersistenceUnderTest } from './persistence/persistence-contract.js';
export type { TestFramework } from './persistence/test-framework.js';
