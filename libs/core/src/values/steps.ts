/** Work in steps, each short enough for one turn of the event loop. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps at once. @returns their result */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Runs the steps with other work in between.
 * @param pause called after each step; its promise is awaited
 * @returns their result
 */
export async function runStepsInTurns<T>(steps: Steps<T>, pause: () => Promise<void> | undefined): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await pause();
    step = steps.next();
  }
  return step.value;
}
