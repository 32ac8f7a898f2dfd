import { queryOptions } from '@tanstack/react-query';
import type { PlanAnswer } from './definitions.js';
import { instancesKey } from './instances.js';
import { post } from './request.js';

export interface AlterationResult {
  readonly workflowInstanceId: string;
  readonly isSuccessful: boolean;
  readonly log?: { readonly logEntries?: readonly { readonly message: string }[] };
}

/** Of each instance; none where they are so many that a plan does the work. */
export interface AlterationAnswer extends PlanAnswer {
  readonly results: readonly AlterationResult[];
}

/** Runs again the activities at which they failed. */
export const retryInstances = (workflowInstanceIds: readonly string[]): Promise<AlterationAnswer> =>
  post('alterations/workflows/retry', { workflowInstanceIds });

/** A repair of one instance: all of the alterations, or none. */
export type Alteration =
  | ({ readonly type: 'ScheduleActivity' | 'CancelActivity' } & AlteredActivity)
  | ({ readonly type: 'SkipActivity'; readonly outcomes: readonly string[] } & AlteredActivity)
  | { readonly type: 'ModifyVariable'; readonly variableId: string; readonly value: unknown }
  | { readonly type: 'Migrate'; readonly targetVersion: number };

/** One execution, or all of an activity that have not ended. */
type AlteredActivity = ({ readonly activityInstanceId: string } | { readonly activityId: string }) & {
  /** If true, nothing is done, and the log is empty, where it does not stand failed. Not for `CancelActivity`. */
  readonly onlyFaulted?: boolean;
};

export const alterInstances = (
  workflowInstanceIds: readonly string[],
  alterations: readonly Alteration[],
): Promise<AlterationAnswer> => post('alterations/run', { workflowInstanceIds, alterations });

/** Which of these instances have an execution of the activity that has not ended. Nothing is altered. */
export const instancesWithActivityQuery = (workflowInstanceIds: readonly string[], activityId: string) =>
  queryOptions({
    queryKey: [...instancesKey, 'with-activity', workflowInstanceIds, activityId],
    queryFn: async ({ signal }) => {
      const ask = (status: string) =>
        post<{ workflowInstanceIds: string[] }>(
          'alterations/dry-run',
          { workflowInstanceIds, activityFilters: [{ activityId, status }] },
          { signal },
        );
      const found = await Promise.all(['Running', 'Faulted', 'Pending'].map(ask));
      return [...new Set(found.flatMap((answer) => answer.workflowInstanceIds))];
    },
  });

/** What a migration would do to an instance. */
export interface MigrationReport {
  readonly workflowInstanceId: string;
  readonly isPossible: boolean;
  readonly problems: readonly { readonly message: string }[];
  readonly notes: readonly string[];
}

/** Nothing is migrated. */
export const migrationReportsQuery = (workflowInstanceIds: readonly string[], targetVersion: number) =>
  queryOptions({
    queryKey: [...instancesKey, 'migration', workflowInstanceIds, targetVersion],
    queryFn: ({ signal }) =>
      post<{ reports: MigrationReport[] }>(
        'alterations/migrations/dry-run',
        { workflowInstanceIds, targetVersion },
        { signal },
      ),
  });
