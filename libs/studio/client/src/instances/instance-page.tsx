import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { versionQuery } from '../api/definitions.js';
import { type Instance, instanceKey, instanceQuery } from '../api/instances.js';
import { nodeStatisticsQuery } from '../api/instance-records.js';
import { followsState } from '../api/journal-parts.js';
import { useFollowed, usePolling } from '../api/live/live.js';
import { WorkflowGraph } from '../graph/workflow-graph.js';
import { Page } from '../parts/page.js';
import { isDamaged, toApiError } from '../api/api-error.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { StatusBadge } from '../parts/status-badge.js';
import { instanceTexts as texts } from '../texts/instances.js';
import { DamagedInstance } from './damaged-instance.js';
import { Incidents } from './incidents.js';
import { Inspector } from './inspector.js';
import { InstanceActions } from './instance-actions.js';
import type { InstanceSearch } from './instance-search.js';
import { Journal } from './journal.js';
import { statesOf } from './node-states.js';
import { useReplay } from './use-replay.js';
import css from './instance-page.module.css';

const route = getRouteApi('/instances/$instanceId');
/** How often one that has not ended is asked for, where the server does not tell. */
const POLL_MS = 3_000;

/** One instance: where it stands and why, what happened, what it holds, and how to repair it. */
export function InstancePage() {
  const { instanceId } = route.useParams();
  useFollowed([instanceId]);
  const polling = usePolling(POLL_MS);
  const instance = useQuery({
    ...instanceQuery(instanceId),
    refetchInterval: ({ state }) => (state.data?.status === 'Finished' ? false : polling),
  });
  useFollow(instanceId, instance.data?.updatedAt);
  // Of one that is deleted meanwhile, nothing is left to be done.
  const data = failureOf(instance) ? undefined : instance.data;
  // Most instances have no name of their own: the heading would be an id and nothing else.
  const workflow = useQuery({ ...versionQuery(data?.definitionVersionId ?? ''), enabled: data !== undefined });
  return (
    <Page
      help="instance"
      fills
      title={data?.name || data?.correlationId || instanceId}
      trail={
        <>
          <Link to="/instances">{texts.title}</Link>
          {data && (
            <>
              {' › '}
              <Link to="/workflows/$definitionId" params={{ definitionId: data.definitionId }}>
                {workflow.data?.name || data.definitionId}
              </Link>
            </>
          )}
        </>
      }
      badge={data && <StatusBadge status={data.subStatus} />}
      actions={data && <InstanceActions instance={data} />}
    >
      {failureOf(instance) ? (
        isDamaged(instance.error) ? (
          <DamagedInstance id={instanceId} error={instance.error} onRetry={() => void instance.refetch()} />
        ) : (
          <ErrorPanel error={instance.error} onRetry={() => void instance.refetch()} />
        )
      ) : data ? (
        <Whole instance={data} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

/** When it has been changed, everything else that is known of it is asked for again. */
function useFollow(instanceId: string, updatedAt: string | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string>(undefined);
  useEffect(() => {
    const last = seen.current;
    seen.current = updatedAt;
    // At first everything is being asked for already.
    if (last === undefined || last === updatedAt) return;
    void client.invalidateQueries({
      queryKey: instanceKey(instanceId),
      predicate: followsState,
    });
  }, [client, instanceId, updatedAt]);
}

function Whole({ instance }: { readonly instance: Instance }) {
  const { id, definitionVersionId, createdAt, status, subStatus } = instance;
  const { node, step } = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: InstanceSearch) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true }),
    [navigate],
  );
  const toStep = useCallback((next: number | undefined) => change({ step: next }), [change]);
  const replay = useReplay(id, step);
  const select = (nodeId: string | undefined) => change({ node: nodeId });
  const definition = useQuery(versionQuery(definitionVersionId));
  const nodes = useQuery(nodeStatisticsQuery(id));
  const states = useMemo(
    () => statesOf(nodes.data?.stats ?? [], { status, subStatus }),
    [nodes.data, status, subStatus],
  );
  return (
    <div className={css.columns}>
      <div className={css.main}>
        <Incidents instance={instance} root={definition.data?.root} onSelect={select} />
        <div className={css.picture}>
          {definition.data ? (
            <WorkflowGraph
              root={definition.data.root}
              states={replay ? replay.states : states}
              selectedNodeId={replay ? replay.entry?.nodeId : node}
              onSelect={select}
            />
          ) : toApiError(definition.error).status === 404 ? (
            <EmptyState title={texts.page.gone} />
          ) : failureOf(definition) ? (
            <ErrorPanel error={definition.error} onRetry={() => void definition.refetch()} />
          ) : (
            <Loading />
          )}
        </div>
        <Journal
          instanceId={id}
          root={definition.data?.root}
          createdAt={createdAt}
          selectedNodeId={node}
          replay={replay}
          onSelect={select}
          onStep={toStep}
        />
      </div>
      <Inspector instance={instance} root={definition.data?.root} onChange={change} />
    </div>
  );
}
