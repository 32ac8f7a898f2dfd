import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ApiError, isNoDefinition } from '../api/api-error.js';
import { knowWho } from '../api/identity.js';
import { loadDesign } from '../api/designs.js';
import { activityDescriptorsQuery } from '../api/descriptors.js';
import { failureOf } from '../api/failure-of.js';
import { lazyPart } from '../parts/lazy-part.js';
import { Page } from '../parts/page.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { designerTexts } from '../texts/designer.js';
import { workflowTexts } from '../texts/workflows.js';
import { PictureOnly } from './picture-only.js';
import type { Design } from './model/change.js';
import { parseExactly } from '../api/exact-json.js';
import { leftOf } from './store/drafts-of-user.js';
import { takeOver } from './store/left-savers.js';

const route = getRouteApi('/workflows/$definitionId');

// Canvas and editors come while the definition does: the frame of the page is there before.
const importView = () => import('./designer-view.js').then(({ DesignerView: loaded }) => loaded);
// What is in the way is shown when the page needs it.
void importView().catch(() => undefined);
const DesignerView = lazyPart(importView);

/** One definition on its canvas. */
export function DesignerPage() {
  const { definitionId } = route.useParams();
  const design = useQuery({
    queryKey: ['design', definitionId],
    queryFn: async ({ signal }) => {
      // In whose name this browser has kept something of it.
      const known = knowWho();
      await takeOver(definitionId);
      try {
        return await loadDesign(definitionId, parseExactly, signal);
      } finally {
        await known;
      }
    },
    // From here on the designer has it: an answer that comes later must not replace what was drawn meanwhile. With a number,
    // it would be asked for again whenever all queries are invalidated, and the designer would begin anew.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const descriptors = useQuery({ ...activityDescriptorsQuery, refetchOnWindowFocus: false });
  /** What this browser has kept of a definition that is deleted. */
  const [opened, setOpened] = useState<Design>();
  if (design.data && descriptors.error instanceof ApiError && descriptors.error.status === 403)
    return <PictureOnly {...design.data} />;
  const failed = [design, descriptors].find((question) => failureOf(question));
  const isDeleted = opened?.definitionId === definitionId;
  const stored = isDeleted ? opened : design.isFetching ? undefined : design.data;
  if (stored && descriptors.data)
    return (
      <Suspense fallback={<Loading />}>
        <DesignerView key={definitionId} stored={stored} descriptors={descriptors.data} isDeleted={isDeleted} />
      </Suspense>
    );
  const isGone = isNoDefinition(design.error);
  const left = isGone ? leftOf(definitionId) : undefined;
  return (
    <Page title={definitionId} trail={<Link to="/workflows">{workflowTexts.title}</Link>}>
      {failed ? <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} /> : <Loading />}
      {left && (
        <EmptyState title={designerTexts.left.title}>
          <Button variant="default" onClick={() => setOpened(left)}>
            {designerTexts.left.open}
          </Button>
        </EmptyState>
      )}
    </Page>
  );
}
