import type { WorkflowInstanceRecord } from '@waymark/runtime/adapter';

/** A suspended instance with an empty state. */
export function anInstanceOf(id: string): WorkflowInstanceRecord {
  const at = new Date('2026-03-01T10:20:30.123Z');
  const common = { status: 'Running', subStatus: 'Suspended', isExecuting: false, isSystem: false } as const;
  return {
    id,
    definitionId: 'definition',
    definitionVersionId: 'definition-v1',
    version: 1,
    incidentCount: 0,
    createdAt: at,
    updatedAt: at,
    ...common,
    state: {
      id,
      definitionId: 'definition',
      definitionVersionId: 'definition-v1',
      definitionVersion: 1,
      ...common,
      bookmarks: [],
      incidents: [],
      completionCallbacks: [],
      activityExecutionContexts: [],
      scheduledActivities: [],
      executionLogSequence: 0,
      activityExecutionCount: 0,
      input: {},
      output: {},
      properties: {},
      createdAt: at,
      updatedAt: at,
    },
  };
}
