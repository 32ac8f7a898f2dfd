import { useQuery } from '@tanstack/react-query';

/** A cron expression in words, once what says them is loaded; `undefined` for what cannot be said. */
export function useCronWords(expression: string): string | undefined {
  const words = useQuery({
    queryKey: ['cron-words', expression],
    queryFn: async () => (await import('./cron-words.js')).cronWords(expression) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return words.data ?? undefined;
}
