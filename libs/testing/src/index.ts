export { definePersistenceContract, type PersistenceUnderTest } from './persistence/persistence-contract.js';
export type { TestFramework } from './persistence/test-framework.js';
export { ShiftedClock } from './clock/shifted-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export { type Fault, type FaultPoint, FaultPoints, withFaultPoints } from './faults/fault-points.js';
