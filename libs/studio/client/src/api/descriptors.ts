import { queryOptions } from '@tanstack/react-query';
import { get, part, post, send } from './request.js';

export interface PortDescriptor {
  readonly name: string;
  readonly displayName?: string;
  readonly type: 'Flow' | 'Embedded';
  readonly isBrowsable?: boolean;
}

export interface SelectItem {
  readonly text: string;
  readonly value: unknown;
}

export interface InputDescriptor {
  readonly name: string;
  readonly typeName: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly category?: string;
  readonly order?: number;
  readonly isBrowsable?: boolean;
  readonly isReadOnly?: boolean;
  readonly isSensitive?: boolean;
  /** In the JSON with an expression around it. */
  readonly isWrapped: boolean;
  readonly uiHint: string;
  readonly defaultValue?: unknown;
  readonly defaultSyntax?: string;
  readonly uiSpecifications?: Readonly<Record<string, unknown>> | null;
}

export interface OutputDescriptor {
  readonly name: string;
  readonly typeName: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly isBrowsable?: boolean;
}

/** A type of activity as the server describes it. */
export interface ActivityDescriptor {
  readonly typeName: string;
  readonly name: string;
  readonly version: number;
  readonly category: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly kind: 'Action' | 'Trigger' | 'Job' | 'Task';
  readonly inputs: readonly InputDescriptor[];
  readonly outputs: readonly OutputDescriptor[];
  readonly ports: readonly PortDescriptor[];
  readonly customProperties?: Readonly<Record<string, unknown>>;
  readonly constructionProperties?: Readonly<Record<string, unknown>>;
  readonly isContainer: boolean;
  readonly isBrowsable: boolean;
  readonly isStart: boolean;
  readonly isTerminal: boolean;
}

interface Items<T> {
  readonly items: readonly T[];
}

const KEY = 'descriptors';
/** They change when the server is deployed, or a workflow that is an activity is published. */
const FRESH_MS = 60_000;

const list = <T>(path: string) =>
  queryOptions({
    queryKey: [KEY, path],
    queryFn: async ({ signal }) => (await get<Items<T>>(`descriptors/${path}`, { signal })).items,
    staleTime: FRESH_MS,
  });

export const activityDescriptorsQuery = list<ActivityDescriptor>('activities');
export const expressionDescriptorsQuery = list<{ type: string; displayName: string; isBrowsable: boolean }>(
  'expression-descriptors',
);
export const variableTypesQuery = list<{ typeName: string; displayName: string; category: string }>('variables');
export const storageDriversQuery = list<{ typeName: string; displayName: string; deprecated?: boolean }>(
  'storage-drivers',
);
export const incidentStrategiesQuery = list<{ typeName: string; displayName: string }>('incident-strategies');
export const activationStrategiesQuery = list<{ typeName: string; displayName: string; description?: string }>(
  'workflow-activation-strategies',
);
export const workflowCommitStrategiesQuery = list<{ name: string; displayName: string }>('commit-strategies/workflows');
export const activityCommitStrategiesQuery = list<{ name: string; displayName: string }>(
  'commit-strategies/activities',
);
export const logPersistenceStrategiesQuery = list<{ typeName: string; displayName: string }>(
  'log-persistence-strategies',
);

/** What a drop-down offers whose items the server decides when it is asked. */
export const inputOptionsQuery = (typeName: string, property: string) =>
  queryOptions({
    queryKey: [KEY, 'options', typeName, property],
    queryFn: async () =>
      (
        await post<{ items: Readonly<Record<string, unknown>> }>(
          `descriptors/activities/${part(typeName)}/options/${part(property)}`,
          {},
        )
      ).items,
    staleTime: FRESH_MS,
  });

/** When a cron expression matches next. It is read as the engine reads it. */
export const cronTimesQuery = (cronExpression: string, timeZone: string | undefined) =>
  queryOptions({
    queryKey: [KEY, 'cron-times', cronExpression, timeZone],
    queryFn: async ({ signal }) =>
      (
        await post<{ times: readonly string[] }>(
          'descriptors/activities/Elsa.Cron/due-times',
          { payload: { cronExpression, timeZone } },
          { signal },
        )
      ).times,
    staleTime: FRESH_MS,
  });

/** They follow from what a definition declares: invalidate them when it has been saved. */
export const scriptTypesKey = (definitionId: string) => [KEY, 'types', definitionId] as const;

/** TypeScript declarations of what scripts of an activity can use. */
export const scriptTypesQuery = (definitionId: string, activityTypeName: string) =>
  queryOptions({
    queryKey: [...scriptTypesKey(definitionId), activityTypeName],
    queryFn: async () => {
      const path = `scripting/javascript/type-definitions/${part(definitionId)}`;
      return (await send('POST', path, { body: { activityTypeName, propertyName: '' } })).text();
    },
    staleTime: FRESH_MS,
  });
