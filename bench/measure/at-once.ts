/** Does so many things, some at the same time. */
export async function forEachAtOnce(
  count: number,
  atOnce: number,
  task: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, loop));
}
