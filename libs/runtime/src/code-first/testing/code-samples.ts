import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  Input,
  Trigger,
  TriggerBase,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { CODE_PROPERTY } from '../../definitions/code-version-facts.js';
import type { MemoryPersistence } from '../../persistence/memory/memory-persistence.js';
import { Workflow, type WorkflowBuilder } from '../workflow-decorator.js';
import { CodeFirstNode } from './code-first-test.js';

@Activity()
export class Wait extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark();
  }
}

@Trigger()
export class Arrived extends TriggerBase {
  @Input({ type: 'String' }) place: string;
  getTriggerPayloads(): unknown[] {
    return [{ place: this.place }];
  }
  override getExclusiveKey(payload: unknown): string {
    return `arrived ${(payload as { place: string }).place}`;
  }
  execute(): void {}
}

@Activity()
export class Rest extends ActivityBase {
  @Input({ type: 'TimeSpan' }) time: string | null;
  execute(): void {}
}

export const ACTIVITIES = [Wait, Arrived, Rest];
export type Build = (w: WorkflowDefinitionBuilder) => unknown;

/** A workflow class, as one state of the code has it. */
export function workflow(options: Parameters<typeof Workflow>[0], build: Build): new () => WorkflowBuilder {
  @Workflow(options)
  class Sample implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      build(w);
    }
  }
  return Sample;
}

/** Rows as they were before there were structures. */
export async function forgetStructures(persistence: MemoryPersistence): Promise<void> {
  const { items } = await persistence.definitions.findMany({});
  const saved = items.map(({ revision, ...definition }) => {
    const { structure: _, ...code } = definition.customProperties[CODE_PROPERTY] as Record<string, unknown>;
    const customProperties = { ...definition.customProperties, [CODE_PROPERTY]: code };
    return { definition: { ...definition, customProperties }, expectedRevision: revision };
  });
  await persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
}

export function node(persistence?: MemoryPersistence): CodeFirstNode {
  return new CodeFirstNode(persistence, ACTIVITIES);
}
