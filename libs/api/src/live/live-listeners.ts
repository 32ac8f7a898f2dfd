import { WorkflowEvent } from '@waymark/runtime';
import { type WorkflowEventEmitter } from '@waymark/runtime/adapter';

/** Listens to the changes that this node makes. @returns a function that ends the callbacks */
export function listenToChanges(
  events: WorkflowEventEmitter,
  heard: { instances(ids: readonly string[]): void; definitions(): void },
): () => void {
  const executed = ({ workflowInstanceId }: { workflowInstanceId: string }) => heard.instances([workflowInstanceId]);
  const deleted = ({ workflowInstanceIds }: { workflowInstanceIds: readonly string[] }) =>
    heard.instances(workflowInstanceIds);
  const stops = [
    events.listen(WorkflowEvent.WorkflowStateCommitted, executed),
    events.listen(WorkflowEvent.WorkflowInstancesDeleted, deleted),
    events.listen(WorkflowEvent.DefinitionPublished, heard.definitions),
    events.listen(WorkflowEvent.DefinitionRetracted, heard.definitions),
    events.listen(WorkflowEvent.DefinitionDraftSaved, heard.definitions),
    events.listen(WorkflowEvent.DefinitionsDeleted, heard.definitions),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
