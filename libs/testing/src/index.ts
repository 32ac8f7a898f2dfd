export { ShiftedClock, type StoredWork } from './clock/shifted-clock.js';
export { SteppingTime } from './clock/stepping-time.js';
export { VirtualClock, type VirtualClockOptions } from './clock/virtual-clock.js';
export { type Fault, type FaultPoint, FaultPoints, withFaultPoints } from './faults/fault-points.js';
export type { WorkflowEventPayloads } from './test-bed/recorded-events.js';
export { ApplicationBusyError, NotHappenedError, NoVirtualClockError } from './test-bed/test-bed-errors.js';
export type { AwaitedBookmark } from './test-bed/waiting-instances.js';
export {
  type AwaitedEvent,
  type AwaitedPlace,
  type OverridableModuleBuilder,
  type TestBedOptions,
  type TestModuleOptions,
  WorkflowTestBed,
} from './test-bed/workflow-test-bed.js';
