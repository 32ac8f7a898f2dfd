import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Fault, type FaultPoint, FaultPoints } from '@waymark/testing';
import { Logger } from '@nestjs/common';
import { type BackendName, type TestBackend, testBackends } from '../support/backends.js';
import { drawnSampleOf, isThorough } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { turnOf } from '../support/draw.js';
import { hasTurn, takesLong, takesStore } from '../support/pairs.js';
import { type Place, play, type Scenario, startSurvivor } from './fault-world.js';
import { compensationScenarios } from './compensation-scenarios.js';
import { deletionScenarios } from './deletion-scenarios.js';
import { eventScenarios } from './event-scenarios.js';
import { scenarios } from './scenarios.js';

const SCENARIO_MS = 180_000;
/** Every which call of the store fails in a quick run; in CI from another one on with each commit. */
const SHARE = 48;
const FAULTS: readonly Fault[] = ['dies before', 'dies after', 'loses the answer', 'fails'];

const ALL: readonly Scenario[] = [...scenarios, ...compensationScenarios, ...eventScenarios, ...deletionScenarios];

/**
 * Without the long tests, one of them for each scenario, in CI one that the commit draws: on memory what fails, since what the
 * others leave behind is looked for in a database.
 */
function faultsFor(scenario: Scenario, { name }: TestBackend): readonly Fault[] {
  if (isThorough) return FAULTS;
  if (name === 'memory') return ['fails'];
  const draw = process.env.WAYMARK_TEST_DRAW;
  const turn = draw ? turnOf(draw, FAULTS.length, `faults of ${scenario.name}`) : ALL.indexOf(scenario) % FAULTS.length;
  return [FAULTS[turn]!];
}

const TITLE = 'W1–W5, W8: a fault at every call of the store, on $name';
const SERVERS: readonly BackendName[] = ['mysql', 'postgres'];

/** A quick run has the faults of SQLite; those of memory follow, as of any other store. In CI the servers have them in turn. */
const takes = (backend: TestBackend, among: readonly TestBackend[]): boolean => {
  if (backend.name === 'memory') return takesLong();
  return takesStore(backend, among) && (!SERVERS.includes(backend.name) || hasTurn(backend.name, SERVERS, TITLE));
};

/** One specification for each kind of store: together they take minutes, side by side half of that. */
export async function faultsAtEveryPoint(name: BackendName): Promise<void> {
  const suite = (backend: TestBackend): void => {
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

    it.each(ALL)(
      '$name: nothing is lost, doubled or stranded',
      async (scenario) => {
        const { reached } = await play(scenario, survivor);
        const writes = reached.filter((point) => FaultPoints.isWrite(point));
        expect(writes.length).toBeGreaterThan(0);
        // A read that fails does so before it reaches any database.
        const readable = backend.name === 'memory' ? reached : writes;
        let met = 0;
        let tried = 0;
        const meet = async (fault: Fault, at: FaultPoint): Promise<void> => {
          tried++;
          try {
            const { wasMet } = await play(scenario, survivor, { at, fault });
            if (wasMet) met++;
          } catch (error) {
            throw new Error(`The node ${fault} ${at}: ${String(error)}`, { cause: error });
          }
        };
        const faults = faultsFor(scenario, backend);
        for (const fault of faults)
          for (const at of drawnSampleOf(fault === 'fails' ? readable : writes, SHARE, `${scenario.name} ${fault}`))
            await meet(fault, at);
        // How many claims find something, and so how many there are, depends on who is faster: most points come again, the first one always.
        if (met === 0) await meet(faults[0]!, writes[0]!);
        expect(met).toBeGreaterThan(isThorough ? tried / 2 : 0);
      },
      SCENARIO_MS,
    );
  };
  describeOn(await testBackends(name), TITLE, suite, takes);
}
