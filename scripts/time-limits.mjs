// How long a run may take on two processors, and how fast these are: clocks of two machines cannot be compared without it.

/** Seconds of the clock: the tests that a newcomer runs, without any server, and all of `.ci/run`. */
const LIMITS = { 'npm test, hidden': 180, 'the run': 600 };

/** What the fixed work takes where the limits were set, in seconds of a processor. */
const REFERENCE_SECONDS = 0.16;
/** Below it a difference is one between two measurements of the same. */
const SLOWER = 1.3;

/** Each limit that is passed, as a sentence, with how slow the machine is. @param slowness a multiple of what the reference takes */
export function passedLimits(costs, slowness) {
  const passed = costs.filter(({ name, seconds }) => seconds > (LIMITS[name] ?? Infinity));
  if (passed.length === 0) return [];
  const machine =
    slowness < SLOWER
      ? 'This machine is as fast as that where the limits were set.'
      : `A processor of this machine takes ${slowness.toFixed(1)} times as long as where the limits were set: it is slower, or shared with others.`;
  return [
    ...passed.map(
      ({ name, seconds }) => `TOO LONG: ${name} took ${seconds.toFixed(0)} s, and may take ${LIMITS[name]} s.`,
    ),
    machine,
  ];
}

/** How long fixed work takes a processor, as a multiple of the reference: numbers, texts and memory. */
export function measureSlowness() {
  const before = process.cpuUsage();
  let seed = 1;
  for (let round = 0; round < 4; round++) {
    const texts = Array.from({ length: 50_000 }, () => `text ${(seed = (seed * 16_807) % 2_147_483_647)}`);
    texts.sort();
    seed += JSON.parse(JSON.stringify(texts)).length;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000 / REFERENCE_SECONDS;
}
