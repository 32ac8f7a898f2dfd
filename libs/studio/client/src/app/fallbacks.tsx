import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
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

/** A page that threw: the rooms stay reachable. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title={texts.crashed} actions={<Button onClick={() => location.reload()}>{texts.reload}</Button>}>
      <ErrorPanel error={error} />
    </Page>
  );
}
