import type { WorkflowDefinitionHandle } from '../services/definition-handle.js';
import type { ScheduledResume, ScheduledStart } from '../services/scheduler-services.js';

type Members = Readonly<Record<string, unknown>>;

/** What `StoredSchedule.request` holds. `values` are input and properties, encrypted where the application has keys. */
export type StoredRequest =
  | ({ readonly kind: 'resume'; readonly values: Members } & Pick<ScheduledResume, 'bookmarkId'>)
  | ({
      readonly kind: 'start';
      readonly definition: WorkflowDefinitionHandle;
      readonly values: Members;
    } & Pick<ScheduledStart, 'correlationId' | 'name' | 'triggerActivityId'>)
  | {
      readonly kind: 'stimulus';
      readonly name: string;
      /** Of name and stimulus: what is sent is matched by it alone. */
      readonly hash: string;
      readonly workflowInstanceId?: string;
      readonly correlationId?: string;
      readonly values: Members;
    };

/** What is under `values`, when it is readable. */
export interface RequestValues {
  readonly input?: Members;
  readonly properties?: Members;
}
