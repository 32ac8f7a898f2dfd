import { type Fault, type FaultPoint, FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { SCHEDULING_OPTIONS, resolveSchedulingOptions, schedulingProviders } from '@waymark/scheduling/adapter';
import { type WorkflowPersistence } from '@waymark/runtime';
import { RuntimeMaintenance } from '@waymark/runtime/adapter';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

/** Something a client does. It is repeated when it fails or when its node dies, so it must bear repetition. */
export type Step = (at: Place) => Promise<unknown>;

/** Where a step is done, or where the end is looked at. */
export interface Place {
  readonly node: RuntimeNode;
  readonly clock: VirtualClock;
  readonly store: WorkflowPersistence;
  /** Prefix of all ids of this play. */
  readonly key: string;
}

export interface Scenario {
  readonly name: string;
  readonly deploy: (at: Place) => Promise<unknown>;
  readonly steps: readonly Step[];
  /** How often time continues at the end, on both nodes; @default 2: more than a lease, a retry and a poll take. */
  readonly recoveryRounds?: number;
  /** What must be true in the end, whatever happened. */
  readonly check: (at: Place) => Promise<void>;
}

export interface PlayResult {
  readonly reached: readonly FaultPoint[];
  readonly wasMet: boolean;
}

const MINUTE_MS = 60_000;
const RECOVERY_ROUNDS = 2;
const REPETITIONS = 3;
const MAINTENANCE_ROUNDS = 5;
const NOT_SOON_MS = 2 ** 30;

/** Nothing waits for these: one that dies in them could do so when the steps are over, where nothing looks for the dead. */
const isSignOfLife = (call: string): boolean => call.startsWith('nodes.');

let plays = 0;

/** A node that never meets a fault, beside those that do. It takes over from them. */
export async function startSurvivor(store: WorkflowPersistence): Promise<Omit<Place, 'key'>> {
  const clock = new VirtualClock('2026-03-01T08:00:00Z');
  return { node: await node(store, clock), clock, store };
}

function node(store: WorkflowPersistence, clock: VirtualClock): Promise<RuntimeNode> {
  const options = resolveSchedulingOptions({ pollIntervalMs: 10 * MINUTE_MS, retryMinMs: 1000 });
  return startNode(store, {
    clock,
    providers: [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }],
    pollIntervalMs: NOT_SOON_MS,
    // One whose delivery met the fault is delivered by the sweeper, after hours of the scenario's time.
    stimulusTtlMs: NOT_SOON_MS,
    // So that a few instances are many.
    fanOutLimit: 2,
  });
}

/** Plays a scenario on a new node with that fault, lets the survivor take over, and checks the end. */
export async function play(
  scenario: Scenario,
  survivor: Omit<Place, 'key'>,
  fault?: { at: FaultPoint; fault: Fault },
): Promise<PlayResult> {
  const key = `play${++plays}`;
  const healthy: Place = { ...survivor, key };
  await scenario.deploy(healthy);

  const counting = new FaultPoints(fault);
  const clock = new VirtualClock(survivor.clock.now());
  let isAtRisk: boolean = false;
  // Faults are for what the scenario does: starting, recovering and stopping are the same in all of them.
  const points = Object.assign(Object.create(counting) as FaultPoints, {
    around: <T>(call: string, task: () => Promise<T>) =>
      (isAtRisk && !isSignOfLife(call)) || counting.isDead ? counting.around(call, task) : task(),
  });
  // Both nodes use one connection: the survivor goes on with it when this one is closed.
  const shared = Object.assign(Object.create(survivor.store) as WorkflowPersistence, { close: async () => {} });
  const store = withFaultPoints(shared, points);
  const risky: Place = { node: await node(store, clock), clock, store, key };
  isAtRisk = true;

  for (const step of scenario.steps) await persist(step, counting.isDead ? healthy : risky, healthy, counting);
  isAtRisk = false;
  for (let round = 0; round < (scenario.recoveryRounds ?? RECOVERY_ROUNDS); round++) {
    if (!counting.isDead) await recover(risky);
    await recover(healthy);
  }
  await scenario.check(healthy);
  // A dead node has nobody left to shut it down.
  if (!counting.isDead) await risky.node.close();
  return { reached: counting.reached, wasMet: counting.isMet };
}

/** As a client would: after an error once more, after the death of the node on another one. */
async function persist(step: Step, first: Place, healthy: Place, points: FaultPoints): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const place = points.isDead ? healthy : first;
    try {
      await (place === healthy ? step(place) : Promise.race([step(place), points.died]));
      if (place === healthy || !points.isDead) return;
    } catch (error) {
      if (attempt >= REPETITIONS) throw error;
    }
  }
}

async function recover({ node, clock }: Place): Promise<void> {
  await clock.advance(2 * MINUTE_MS);
  await node.settled();
  // What a dead node left is not looked for in every round.
  for (let round = 0; round < MAINTENANCE_ROUNDS; round++) await node.get(RuntimeMaintenance).runOnce();
  await node.settled();
}
