import { partsOf, type Weights } from './draw.js';

/** A drawn run takes one of so many of what costs seconds, and each has its turn within twice as many runs. */
export const TURNS = 3;

// What is drawn as a whole and costs a second or more, with the seconds that it takes, the start of its host and browser among them: only how
// they compare matters. `weights.spec.ts` fails where one is missing, or draws differ by too much.

/** Files whose suites have a turn (`runInTurn`), and suites of a file that have (`describeInTurn`): by its path, and behind it the title. */
export const ATTACKS: Weights = {
  'test/hostile/api/api-fuzz.spec.ts': 3,
  'test/hostile/bodies/bodies.spec.ts': 9,
  'test/hostile/bodies/crash.spec.ts': 6,
  'test/hostile/bodies/crowd.spec.ts': 6,
  'test/hostile/expressions/same-in-workers.spec.ts a script in a worker thread': 2,
  'libs/expressions/src/javascript/workers/workers.spec.ts cancelling': 1,
  'libs/expressions/src/javascript/workers/workers.spec.ts scripts that wait for the host': 1,
  'libs/expressions/src/javascript/workers/workers.spec.ts the queue': 1,
  'libs/expressions/src/javascript/workers/workers.spec.ts random scripts': 1,
};

/** Suites in a browser (`describeTourInBrowser`), by title. */
export const TOURS: Weights = {
  'Elsa Studio': 28,
  'many at once in Studio': 25,
  'operating in Studio': 19,
  'pages with contents, in both colours': 17,
  'a workflow of hundreds of activities in Studio': 11,
  'the frame of Studio, on a host with users and a key': 11,
  'repairs in Studio': 10,
  'long names in Studio': 9,
  'a wide workflow in Studio': 8,
  'the picture of an instance in Studio': 8,
  'a sequence in Studio': 7,
  'an activity with two hundred inputs': 7,
  'by the keyboard, Studio': 7,
  'values of a workflow that is drawn in Studio': 7,
  'what is typed into the filters of Studio': 7,
  'an activity in Studio whose type the server does not have': 6,
  'definitions that were written elsewhere, in Studio': 6,
  'parts of the designer of Studio': 6,
  'schedules in Studio, for users who may not do everything': 6,
  'what Studio is asked for twice': 6,
  'an instance that waits in two hundred places': 5,
  'damaged rows in Studio': 5,
  'a question in Studio about an instance': 4,
  'an answer in Studio that comes after its dialog was closed': 4,
};

// Each by itself: of attacks, the quick run takes a part, in which there are no tours.
const PARTS = new Map([...partsOf(ATTACKS, TURNS), ...partsOf(TOURS, TURNS)]);

/** Which of the parts it belongs to; undefined where it is not one of these. */
export const partOf = (name: string): number | undefined => PARTS.get(name);

/** If true, a quick run has its turn for it, and the run after that has more of it: files of attacks, on another adapter or on servers. */
export const followsQuick = (name: string): boolean => name.endsWith('.spec.ts') && PARTS.has(name);
