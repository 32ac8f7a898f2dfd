import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { definitionQuery, versionQuery } from '../api/definitions.js';
import { usePolling } from '../api/live/live.js';
import { standingQuery, type Standing, type VersionHeat } from '../api/operations.js';
import { WorkflowGraph } from '../graph/workflow-graph.js';
import { Page } from '../parts/page.js';
import { toApiError } from '../api/api-error.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { standingTexts as texts } from '../texts/standing.js';
import { workflowTexts } from '../texts/workflows.js';
import { countsOf } from './standing-counts.js';
import { StandingList } from './standing-list.js';
import css from './standing.module.css';

const route = getRouteApi('/workflows/$definitionId/standing');
/** How often it is asked for, where the server does not tell. */
const POLL_MS = 5_000;

/** Where in a workflow all its instances stand now: the picture, warm where many are. */
export function StandingPage() {
  const { definitionId } = route.useParams();
  const definition = useQuery(definitionQuery(definitionId));
  const standing = useQuery({ ...standingQuery(definitionId), refetchInterval: usePolling(POLL_MS) });
  return (
    <Page
      fills
      help="standing"
      title={texts.title(definition.data?.name || definitionId)}
      trail={
        <>
          <Link to="/workflows">{workflowTexts.title}</Link> /{' '}
          <Link to="/workflows/$definitionId" params={{ definitionId }}>
            {definition.data?.name || definitionId}
          </Link>
        </>
      }
      actions={
        <>
          <Link to="/instances" search={{ workflow: definitionId, status: ['Suspended', 'Executing'] }}>
            {texts.instances}
          </Link>
          <Link to="/instances" search={{ workflow: definitionId, status: ['Faulted'] }}>
            {texts.failures}
          </Link>
        </>
      }
    >
      {failureOf(standing) ? (
        <ErrorPanel error={standing.error} onRetry={() => void standing.refetch()} />
      ) : standing.data === undefined ? (
        <Loading />
      ) : standing.data.versions.length === 0 ? (
        <EmptyState title={texts.empty.title}>
          <p>{texts.empty.lead}</p>
        </EmptyState>
      ) : (
        <Versions standing={standing.data} />
      )}
    </Page>
  );
}

function Versions({ standing }: { readonly standing: Standing }) {
  const { version } = route.useSearch();
  const navigate = route.useNavigate();
  const { versions, isWaitingComplete, isFaultedComplete } = standing;
  const shown = versions.find((each) => String(each.version) === version) ?? versions[0]!;
  return (
    <>
      <div className={css.head}>
        <Select
          aria-label={texts.version}
          className={css.version}
          allowDeselect={false}
          data={versions.map((each) => ({
            value: String(each.version),
            label: texts.versionOf(each.version, each.running, each.faulted),
          }))}
          value={String(shown.version)}
          onChange={(value) =>
            void navigate({
              search: (old) => ({ ...old, version: value ?? undefined, node: undefined }),
              replace: true,
            })
          }
        />
        {!isWaitingComplete && <span className={css.soft}>{texts.partly}</span>}
        {!isFaultedComplete && <span className={css.soft}>{texts.faultedPartly}</span>}
      </div>
      <Picture heat={shown} />
    </>
  );
}

function Picture({ heat }: { readonly heat: VersionHeat }) {
  const { node } = route.useSearch();
  const navigate = route.useNavigate();
  const version = useQuery(versionQuery(heat.definitionVersionId));
  const counts = useMemo(() => countsOf(heat), [heat]);
  const select = (nodeId: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, node: nodeId }), replace: true });
  return (
    <div className={css.columns}>
      <div className={css.picture}>
        {version.data ? (
          <WorkflowGraph root={version.data.root} counts={counts} selectedNodeId={node} onSelect={select} />
        ) : toApiError(version.error).status === 404 ? (
          <EmptyState title={texts.gone} />
        ) : failureOf(version) ? (
          <ErrorPanel error={version.error} onRetry={() => void version.refetch()} />
        ) : (
          <Loading />
        )}
      </div>
      <StandingList heat={heat} root={version.data?.root} selectedNodeId={node} onSelect={select} />
    </div>
  );
}
