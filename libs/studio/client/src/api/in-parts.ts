const PART = 100;

/**
 * Asks for some at a time, one request after the other: one for all could take longer than a proxy waits for its answer.
 * @param onPart hears how many are done; `false` ends it there
 */
export async function inParts<T, A>(
  all: readonly T[],
  ask: (some: readonly T[]) => Promise<A>,
  onPart: (done: number) => boolean = () => true,
): Promise<A[]> {
  const answers: A[] = [];
  for (let from = 0; from < all.length; from += PART) {
    answers.push(await ask(all.slice(from, from + PART)));
    if (!onPart(Math.min(from + PART, all.length))) break;
  }
  return answers;
}
