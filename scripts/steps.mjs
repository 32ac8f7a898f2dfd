// The order in which steps run: each as soon as what it needs is there and a place is free.

/**
 * Runs steps side by side. In the order of the list, the first one that may begins: what it is `after` has ended well, was forgiven, or was
 * not needed. After a failure nothing new begins; what has begun comes to its end.
 * @param steps by name: `{ after, isNeeded, isCompany }`. Company has no place of its own: it runs beside those that have one. `isNeeded` is asked
 * when it could begin
 * @param atOnce how many have a place
 * @param run begins a step, by its name, and answers with `{ ok, isForgiven }`
 * @returns names of the steps that were never begun, without those that were not needed
 */
export async function runSteps(steps, { atOnce, run }) {
  const waiting = new Map(Object.entries(steps));
  for (const [name, { after }] of waiting)
    for (const other of after)
      if (!waiting.has(other)) throw new Error(`The step ${name} is after ${other}, and there is no such step.`);
  const isDone = new Set();
  const running = new Set();
  const places = new Set();
  let hasFailed = false;

  const begin = (name, { isCompany = false }) => {
    waiting.delete(name);
    if (!isCompany) places.add(name);
    const ended = run(name).then(({ ok, isForgiven = false }) => {
      running.delete(ended);
      places.delete(name);
      if (ok || isForgiven) isDone.add(name);
      else hasFailed = true;
    });
    running.add(ended);
  };
  /** @returns whether something has changed that may let another one begin */
  const beginNext = () => {
    for (const [name, step] of waiting) {
      if (!step.after.every((other) => isDone.has(other))) continue;
      if (step.isNeeded?.() === false) {
        waiting.delete(name);
        isDone.add(name);
        return true;
      }
      if (!step.isCompany && places.size >= atOnce) continue;
      begin(name, step);
      return true;
    }
    return false;
  };

  for (;;) {
    while (!hasFailed && beginNext());
    if (running.size === 0) return [...waiting.keys()];
    await Promise.race(running);
  }
}
