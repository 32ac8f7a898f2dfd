import { useCallback, useEffect, useRef } from 'react';

/**
 * Whether what asks is still on the page. What it has sent is answered later, and must not close, or lead away from, what people have gone on
 * to meanwhile.
 */
export function useShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}
