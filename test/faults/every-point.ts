import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Fault, FaultPoints } from '@waymark/testing';
import { Logger } from '@nestjs/common';
import { type BackendName, testBackends } from '../support/backends.js';
import { isThorough, sampleOf } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { type Place, play, startSurvivor } from './fault-world.js';
import { compensationScenarios } from './compensation-scenarios.js';
import { scenarios } from './scenarios.js';

const SCENARIO_MS = 180_000;
/** Every which call of the store fails in a quick run. */
const SHARE = 24;
const FAULTS: readonly Fault[] = ['dies before', 'dies after', 'loses the answer', 'fails'];

/** One specification for each kind of store: together they take minutes, side by side half of that. */
export async function faultsAtEveryPoint(name: BackendName): Promise<void> {
  describeOn(await testBackends(name), 'W1–W5, W8: a fault at every call of the store, on $name', (backend) => {
    let survivor: Omit<Place, 'key'>;

    beforeAll(() => Logger.overrideLogger(false));
    afterAll(() => Logger.overrideLogger(undefined as never));
    // A store that has seen the plays of all scenarios would make those of the last ones slow.
    beforeEach(async () => {
      survivor = await startSurvivor(await backend.create());
    });
    afterEach(async () => {
      await survivor.node.close();
      if (backend.name === 'memory') await backend.drop();
    });
    afterAll(() => backend.drop());

    it.each([...scenarios, ...compensationScenarios])(
      '$name: nothing is lost, doubled or stranded',
      async (scenario) => {
        const { reached } = await play(scenario, survivor);
        const writes = reached.filter((point) => FaultPoints.isWrite(point));
        expect(writes.length).toBeGreaterThan(0);
        // A read that fails does so before it reaches any database.
        const readable = backend.name === 'memory' ? reached : writes;
        let met = 0;
        let tried = 0;
        // What the other faults leave behind, a quick run looks for in a database.
        const faults = backend.name === 'memory' && !isThorough ? FAULTS.filter((fault) => fault === 'fails') : FAULTS;
        for (const fault of faults) {
          for (const at of sampleOf(fault === 'fails' ? readable : writes, SHARE)) {
            tried++;
            try {
              const { wasMet } = await play(scenario, survivor, { at, fault });
              if (wasMet) met++;
            } catch (error) {
              throw new Error(`The node ${fault} ${at}: ${String(error)}`, { cause: error });
            }
          }
        }
        // How many claims find something, and so how many there are, depends on who is faster: most points come again.
        expect(met).toBeGreaterThan(isThorough ? tried / 2 : 0);
      },
      SCENARIO_MS,
    );
  });
}
