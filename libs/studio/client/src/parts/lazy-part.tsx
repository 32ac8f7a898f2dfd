import { useMutation } from '@tanstack/react-query';
import { type ComponentType, lazy, useEffect } from 'react';
import { ApiError } from '../api/api-error.js';
import { useIsLive } from '../api/live/live.js';
import { expectPages, loadFile } from './load-file.js';
import { ErrorPanel } from './states.js';

/** A file that did not come. The page is loaded again, by a click or when the server is back, but never while there is none to load. */
export function FileFailed({ error }: { readonly error: unknown }) {
  const again = useMutation({ mutationFn: expectPages, onSuccess: () => location.reload() });
  const isLive = useIsLive();
  useEffect(() => {
    if (isLive && error instanceof ApiError) again.mutate();
    // Only when the server comes back: a file that is refused while updates arrive would be asked for without an end.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isLive]);
  return <ErrorPanel error={again.error ?? error} onRetry={() => again.mutate()} />;
}

/** A part of a page with a file of its own; in its place, what is in the way of it. */
export function lazyPart<P extends object>(importer: () => Promise<ComponentType<P>>) {
  return lazy(() =>
    loadFile(importer).then(
      (part) => ({ default: part }),
      (error: unknown) => ({ default: (() => <FileFailed error={error} />) as ComponentType<P> }),
    ),
  );
}
