import { Inject, Injectable } from '@nestjs/common';
import { type ActivityJson, type WorkflowDefinition } from '@waymark/core';
import {
  findReferences,
  writeDefinitionModel,
  type DefinitionContext,
  type WorkflowReference,
} from '@waymark/core/adapter';
import { IWorkflowDefinitionService, WorkflowEngine } from '@waymark/runtime';
import { loopTurns, type ResolvedRuntimeOptions, RUNTIME_OPTIONS } from '@waymark/runtime/adapter';
import { layOut } from './canvas-layout.js';

/** Gives the reader and writer of definitions what they depend on. */
@Injectable()
export class DefinitionContexts {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly definitions: IWorkflowDefinitionService,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** For what comes from outside: `maxActivities` holds. */
  limited(): DefinitionContext {
    return { ...this.plain(), maxActivities: this.options.maxActivities };
  }

  /** For reading: node ids are assigned when a definition is shown. */
  plain(): DefinitionContext {
    const { activities, types, expressions, newId } = this.engine;
    return { registry: activities, types, expressions, newId: () => newId() };
  }

  /** For showing that definition: knows the workflows it uses as activities, whose nesting is part of node ids. */
  async for(definition: WorkflowDefinition): Promise<DefinitionContext> {
    const known = new Map<string, WorkflowDefinition | undefined>();
    await this.load(definition, known);
    return { ...this.plain(), resolveWorkflow: (reference) => known.get(keyOf(reference)) };
  }

  /**
   * As it is shown: one that comes from code was never drawn, so its flowcharts are laid out. Nothing of that is stored.
   * @param isLaidOut the same for any other, on request
   */
  async modelOf(definition: WorkflowDefinition, isLaidOut = definition.isReadonly): Promise<Record<string, unknown>> {
    const context = await this.for(definition);
    await loopTurns.goOn();
    const model = writeDefinitionModel(definition, context);
    if (isLaidOut || definition.isReadonly) layOut(model.root as ActivityJson, this.engine.activities);
    return model;
  }

  /** The definition behind a workflow used as an activity: that version, else the published one, else the latest. */
  async resolve({
    definitionVersionId,
    definitionId,
    version,
  }: WorkflowReference): Promise<WorkflowDefinition | undefined> {
    const byVersionId = definitionVersionId ? await this.definitions.find({ definitionVersionId }) : undefined;
    if (byVersionId || !definitionId) return byVersionId;
    return (
      (version === undefined ? undefined : await this.definitions.find({ definitionId, versionOptions: version })) ??
      (await this.definitions.find({ definitionId, versionOptions: 'Published' })) ??
      (await this.definitions.find({ definitionId, versionOptions: 'Latest' }))
    );
  }

  private async load(
    definition: WorkflowDefinition,
    known: Map<string, WorkflowDefinition | undefined>,
  ): Promise<void> {
    for (const reference of findReferences(definition.root)) {
      const key = keyOf(reference);
      if (known.has(key)) continue;
      const inner = await this.resolve(reference);
      known.set(key, inner);
      if (inner) await this.load(inner, known);
    }
  }
}

const keyOf = ({ definitionId, definitionVersionId, version }: WorkflowReference): string =>
  `${definitionVersionId ?? ''}|${definitionId ?? ''}|${version ?? ''}`;
