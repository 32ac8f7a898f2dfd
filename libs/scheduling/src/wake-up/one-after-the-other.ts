/** Calls them in their order. Asynchronous only where one of them is, as each turn of waiting costs every burst. */
export function oneAfterTheOther(...steps: readonly (() => void | Promise<void>)[]): void | Promise<void> {
  for (const [index, step] of steps.entries()) {
    const done = step();
    if (done) return done.then(() => oneAfterTheOther(...steps.slice(index + 1)));
  }
}
