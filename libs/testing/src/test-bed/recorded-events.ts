import {
  type BookmarkPatternsChanged,
  type DefinitionChanged,
  type DefinitionsDeleted,
  type RunTaskRequest,
  type DefinitionsChanged,
  type UserTaskChanged,
  type WorkflowBookmarksIndexed,
  type WorkflowCodeMissing,
  WorkflowEvent,
  type WorkflowExecuted,
  type WorkflowInstancesDeleted,
  type WorkflowSchedulesIndexed,
  type WorkflowTriggersIndexed,
} from '@waymark/runtime';
import type { WorkflowEventEmitter } from '@waymark/runtime/adapter';

/** The payload of each event. */
export interface WorkflowEventPayloads {
  [WorkflowEvent.TriggersIndexed]: WorkflowTriggersIndexed;
  [WorkflowEvent.BookmarksIndexed]: WorkflowBookmarksIndexed;
  [WorkflowEvent.SchedulesIndexed]: WorkflowSchedulesIndexed;
  [WorkflowEvent.BookmarkPatternsChanged]: BookmarkPatternsChanged;
  [WorkflowEvent.WorkflowStarted]: WorkflowExecuted;
  [WorkflowEvent.WorkflowExecuted]: WorkflowExecuted;
  [WorkflowEvent.WorkflowFinished]: WorkflowExecuted;
  [WorkflowEvent.WorkflowStateCommitted]: WorkflowExecuted;
  [WorkflowEvent.WorkflowInstancesDeleted]: WorkflowInstancesDeleted;
  [WorkflowEvent.RunTaskRequested]: RunTaskRequest;
  [WorkflowEvent.UserTaskCreated]: UserTaskChanged;
  [WorkflowEvent.UserTaskClaimed]: UserTaskChanged;
  [WorkflowEvent.UserTaskReleased]: UserTaskChanged;
  [WorkflowEvent.UserTaskDelegated]: UserTaskChanged;
  [WorkflowEvent.UserTaskCommented]: UserTaskChanged;
  [WorkflowEvent.UserTaskReminded]: UserTaskChanged;
  [WorkflowEvent.UserTaskDue]: UserTaskChanged;
  [WorkflowEvent.UserTaskEscalated]: UserTaskChanged;
  [WorkflowEvent.UserTaskCompleted]: UserTaskChanged;
  [WorkflowEvent.UserTaskCancelled]: UserTaskChanged;
  [WorkflowEvent.DefinitionPublished]: DefinitionChanged;
  [WorkflowEvent.DefinitionRetracted]: DefinitionChanged;
  [WorkflowEvent.DefinitionDraftSaved]: DefinitionChanged;
  [WorkflowEvent.DefinitionsDeleted]: DefinitionsDeleted;
  [WorkflowEvent.DefinitionsChanged]: DefinitionsChanged;
  [WorkflowEvent.CodeMissing]: WorkflowCodeMissing;
}

interface Recorded {
  readonly event: WorkflowEvent;
  readonly payload: object;
}

/** Keeps what the application announces until a test asks for it. */
export class RecordedEvents {
  private kept: Recorded[] = [];
  private total = 0;

  constructor(emitter: WorkflowEventEmitter) {
    for (const event of Object.values(WorkflowEvent))
      emitter.listen(event, (payload: object) => this.add(event, payload));
  }

  /** How many there were so far: as long as it grows, something happens. */
  get count(): number {
    return this.total;
  }

  /** The earliest of them; it is not given again. */
  take<E extends WorkflowEvent>(
    event: E,
    matches: (payload: WorkflowEventPayloads[E]) => boolean,
  ): WorkflowEventPayloads[E] | undefined {
    const index = this.kept.findIndex(
      (recorded) => recorded.event === event && matches(recorded.payload as WorkflowEventPayloads[E]),
    );
    if (index < 0) return undefined;
    return this.kept.splice(index, 1)[0]!.payload as WorkflowEventPayloads[E];
  }

  private add(event: WorkflowEvent, payload: object): void {
    this.total++;
    this.kept.push({ event, payload });
  }
}
