import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.js';
import { ofTab } from '../api/browser-shelf.js';
import { FileFailed } from '../parts/lazy-part.js';
import { StudioReplaced } from '../parts/load-file.js';
import { Page } from '../parts/page.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { shellTexts as texts } from '../texts/shell.js';

export function NotFound() {
  return (
    <Page title={texts.notFound.title}>
      <EmptyState title={texts.notFound.wayOn} />
    </Page>
  );
}

export const PagePending = () => <Loading />;

const RELOADED = 'waymark-studio:reloaded';

/** A page that threw, or whose files did not come: the rooms stay reachable. */
export function PageFailed({ error }: Pick<ErrorComponentProps, 'error'>) {
  useEffect(() => {
    // Once for an address: if the new page fails as well, it says so.
    if (!(error instanceof StudioReplaced) || ofTab.getItem(RELOADED) === location.href) return;
    ofTab.setItem(RELOADED, location.href);
    // Without a storage it would be loaded again and again.
    if (ofTab.getItem(RELOADED) !== location.href) return;
    location.reload();
  }, [error]);
  if (error instanceof ApiError)
    return (
      <Page title={texts.notLoaded}>
        <FileFailed error={error} />
      </Page>
    );
  return (
    <Page title={texts.crashed} actions={<Button onClick={() => location.reload()}>{texts.reload}</Button>}>
      <ErrorPanel error={error} />
    </Page>
  );
}
