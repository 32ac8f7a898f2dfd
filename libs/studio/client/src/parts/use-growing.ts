import { startTransition, useEffect, useState } from 'react';

const PART = 12;

/** How many of so many things are drawn: a part at once, the others a part at a time, between which the page answers. */
export function useGrowing(count: number): number {
  const [shown, setShown] = useState(PART);
  useEffect(() => {
    if (shown < count) startTransition(() => setShown(shown + PART));
  }, [shown, count]);
  return Math.min(shown, count);
}
