import { queryOptions } from '@tanstack/react-query';
import { get, part, post } from './request.js';

/** Of the node that answers. */
export interface RuntimeStatus {
  readonly state: {
    readonly reason: 'None' | 'AdministrativePause' | 'Drain';
    readonly isAcceptingNewWork: boolean;
    readonly pausedAt?: string;
    readonly pauseReasonText?: string;
    /** Who paused it, or resumed it since. */
    readonly pauseRequestedBy?: string;
    readonly drainStartedAt?: string;
    /** Another one after a restart. */
    readonly generationId: string;
  };
  readonly sources: readonly { readonly name: string; readonly state: string; readonly lastTransitionAt?: string }[];
  readonly activeExecutionCycleCount: number;
}

export interface DrainedRuntime extends RuntimeStatus {
  /** Servers of before have none: they wait until nothing executes. */
  readonly outcome?: { readonly overallResult: 'CompletedWithinDeadline' | 'DeadlineExceeded' };
}

export interface Feature {
  readonly name: string;
  readonly fullName: string;
  readonly displayName: string;
  readonly description: string;
}

const ROUTE = 'admin/workflow-runtime';

export const runtimeKey = ['runtime'] as const;

export const runtimeStatusQuery = () =>
  queryOptions({
    queryKey: [...runtimeKey, 'status'],
    queryFn: ({ signal }) => get<RuntimeStatus>(`${ROUTE}/status`, { signal }),
  });

export const pauseRuntime = (): Promise<RuntimeStatus> => post(`${ROUTE}/pause`);
export const resumeRuntime = (): Promise<RuntimeStatus> => post(`${ROUTE}/resume`);

/** Resolves when nothing executes any more, or after the time that a shutdown would wait: the outcome says which. */
export const drainRuntime = (): Promise<DrainedRuntime> => post(`${ROUTE}/force-drain`);

export const featuresQuery = () =>
  queryOptions({
    queryKey: ['features'],
    queryFn: ({ signal }) => get<{ items: readonly Feature[] }>('features/installed', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const versionOfServerQuery = () =>
  queryOptions({
    queryKey: ['package-version'],
    queryFn: ({ signal }) => get<{ packageVersion: string }>('package/version', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface StartRequest {
  readonly input?: unknown;
  readonly correlationId?: string | undefined;
  /** `Latest` is the draft, where there is one. Default: what is published. */
  readonly versionOptions?: 'Latest' | 'Published';
  /** Begins there, as if what it waits for had happened. */
  readonly triggerActivityId?: string | undefined;
  /** Of the instance. A second start with the same id starts nothing. @default the server makes one */
  readonly instanceId?: string | undefined;
}

/** Starts a workflow in the background. @returns the id of its instance, which appears in a moment */
export async function dispatchWorkflow(definitionId: string, start: StartRequest): Promise<string> {
  const answer = await post<{ workflowInstanceId: string }>(
    `workflow-definitions/${part(definitionId)}/dispatch`,
    start,
  );
  return answer.workflowInstanceId;
}

/** To one instance only. Others that wait for the same event continue waiting. */
export const sendEvent = (eventName: string, workflowInstanceId: string, input?: object): Promise<void> =>
  post(`events/${part(eventName)}/trigger`, { workflowInstanceId, input });

/** Reports that the work of a `RunTask` has been done. */
export const reportTask = (taskId: string, result: unknown): Promise<void> =>
  post(`tasks/${part(taskId)}/complete`, { result });

interface Descriptors {
  readonly items: readonly {
    readonly typeName: string;
    readonly inputs: readonly {
      readonly name: string;
      readonly uiSpecifications?: Readonly<Record<string, unknown>>;
    }[];
  }[];
}

/** Where paths of HTTP endpoints begin, such as `https://example.org/workflows/`; `undefined` where there are none. */
export const endpointBaseQuery = () =>
  queryOptions({
    queryKey: ['endpoint-base'],
    queryFn: async ({ signal }) => {
      const { items } = await get<Descriptors>('descriptors/activities', { signal });
      const path = items
        .find(({ typeName }) => typeName === 'Elsa.HttpEndpoint')
        ?.inputs.find(({ name }) => name === 'Path');
      const hint = path?.uiSpecifications?.singleline as { adornmentText?: string } | undefined;
      // A query must not give undefined.
      return hint?.adornmentText ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
