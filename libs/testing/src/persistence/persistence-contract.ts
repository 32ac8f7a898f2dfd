import type { WorkflowPersistence } from '@waymark/runtime';
import { alterationsContract } from './contract/alterations.js';
import { auditContract } from './contract/audit.js';
import { bulkPlansContract } from './contract/bulk-plans.js';
import { applicationSchedulesContract } from './contract/application-schedules.js';
import { claimsContract } from './contract/claims.js';
import { commitContract } from './contract/commit.js';
import type { ContractContext } from './contract/contract-context.js';
import { definitionsContract } from './contract/definitions.js';
import { exclusiveTriggersContract } from './contract/exclusive-triggers.js';
import { fanOutsContract } from './contract/fan-outs.js';
import { groupsContract } from './contract/groups.js';
import { instancesContract } from './contract/instances.js';
import { interruptedContract } from './contract/interrupted.js';
import { journalContract } from './contract/journal.js';
import { journalValuesContract } from './contract/journal-values.js';
import { keysContract } from './contract/keys.js';
import { lookupsContract } from './contract/lookups.js';
import { schedulesContract } from './contract/schedules.js';
import { deadNodesContract } from './contract/dead-nodes.js';
import { operationsContract } from './contract/operations.js';
import { outboxContract } from './contract/outbox.js';
import { waitingMessagesContract } from './contract/waiting-messages.js';
import { patternsContract } from './contract/patterns.js';
import { planStepsContract } from './contract/plan-steps.js';
import { queueContract } from './contract/queue.js';
import { racesContract } from './contract/races.js';
import { sizesContract } from './contract/sizes.js';
import { storeTimeContract } from './contract/store-time.js';
import { textsContract } from './contract/texts.js';
import { userTasksContract } from './contract/user-tasks.js';
import { valuesContract } from './contract/values.js';
import { globalTestFramework, type TestFramework } from './test-framework.js';

// Tests take milliseconds; but fifty commits over one small pool, on a machine busy with other tests, take their time.
const DEFAULT_TIMEOUT_MS = 30_000;

/** Describes how the contract creates the store under test. */
export interface PersistenceUnderTest {
  /** A store without data of other suites. The suite initializes and closes it. */
  create(): Promise<WorkflowPersistence>;
  /** The same store as another node opens it, after `create`. Left out when the store lives in one process. */
  openOnAnotherNode?(): Promise<WorkflowPersistence>;
  /** The limit for the bytes of a state that the stores were given, if they have one: between 11 MB and 14 MB. */
  readonly maxStateBytes?: number;
}

/**
 * Defines the tests of the contract of `WorkflowPersistence`, one for each guarantee of the port. Call it at the top level of a
 * test file:
 *
 * ```ts
 * definePersistenceContract('my store', { create: async () => new MyPersistence() });
 * ```
 *
 * Tests share the store and use ids of their own, except where a method works on all rows there are.
 * @param framework default: the globals of the test runner
 */
export function definePersistenceContract(
  name: string,
  backend: PersistenceUnderTest,
  framework: TestFramework = globalTestFramework(),
): void {
  let store: WorkflowPersistence | undefined;
  let otherNode: WorkflowPersistence | undefined;
  const opened = (node: WorkflowPersistence | undefined) => {
    if (!node) throw new Error('The store could not be opened: see the error of beforeAll.');
    return node;
  };
  const context: ContractContext = {
    framework: {
      ...framework,
      it: (test, body, timeoutMs = DEFAULT_TIMEOUT_MS) => framework.it(test, body, timeoutMs),
    },
    get store() {
      return opened(store);
    },
    get otherNode() {
      return opened(otherNode);
    },
  };

  framework.describe(`persistence contract: ${name}`, () => {
    framework.beforeAll(async () => {
      store = await backend.create();
      otherNode = (await backend.openOnAnotherNode?.()) ?? store;
      // Two nodes may start at once; initializing twice is no error either.
      await Promise.all([store.initialize(), otherNode.initialize()]);
      await store.initialize();
    }, 60_000);
    framework.afterAll(async () => {
      if (otherNode !== store) await otherNode?.close();
      await store?.close();
    }, 60_000);

    commitContract(context);
    keysContract(context);
    groupsContract(context);
    racesContract(context);
    definitionsContract(context);
    exclusiveTriggersContract(context);
    instancesContract(context);
    interruptedContract(context);
    lookupsContract(context);
    schedulesContract(context);
    applicationSchedulesContract(context);
    claimsContract(context);
    storeTimeContract(context);
    patternsContract(context);
    journalContract(context);
    journalValuesContract(context);
    outboxContract(context);
    waitingMessagesContract(context);
    fanOutsContract(context);
    queueContract(context);
    alterationsContract(context);
    bulkPlansContract(context);
    planStepsContract(context);
    userTasksContract(context);
    auditContract(context);
    operationsContract(context);
    deadNodesContract(context);
    valuesContract(context);
    textsContract(context);
    sizesContract(context, backend.maxStateBytes);
  });
}
