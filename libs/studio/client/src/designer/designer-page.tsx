import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ApiError } from '../api/api-error.js';
import { loadDesign } from '../api/designs.js';
import { activityDescriptorsQuery } from '../api/descriptors.js';
import { failureOf } from '../api/failure-of.js';
import { lazyPart } from '../parts/lazy-part.js';
import { Page } from '../parts/page.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { workflowTexts } from '../texts/workflows.js';
import { PictureOnly } from './picture-only.js';
import { parseExactly } from './model/exact-json.js';

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
    queryFn: ({ signal }) => loadDesign(definitionId, parseExactly, signal),
    // From here on the designer has it: an answer that comes later must not replace what was drawn meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const descriptors = useQuery({ ...activityDescriptorsQuery, refetchOnWindowFocus: false });
  if (design.data && descriptors.error instanceof ApiError && descriptors.error.status === 403)
    return <PictureOnly {...design.data} />;
  const failed = [design, descriptors].find((question) => failureOf(question));
  if (design.data && descriptors.data && !design.isFetching)
    return (
      <Suspense fallback={<Loading />}>
        <DesignerView key={definitionId} stored={design.data} descriptors={descriptors.data} />
      </Suspense>
    );
  return (
    <Page title={definitionId} trail={<Link to="/workflows">{workflowTexts.title}</Link>}>
      {failed ? <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} /> : <Loading />}
    </Page>
  );
}
