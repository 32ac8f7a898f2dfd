import { Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowExecutionContext, type WorkflowGraph, type WorkflowState } from '@waymark/core';
import type { LoadedInstance } from '../persistence/records.js';
import { type ShownVariable, shownVariables, variablesOfState } from './shown-variables.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { BurstExtras } from '../bursts/burst-commit-builder.js';
import { BurstExecutor, type OpenInstance } from '../bursts/burst-executor.js';
import { InstanceNotFoundError } from '../services/instance-errors.js';

/** Looks into stored instances and changes them between their bursts. */
@Injectable()
export class InstanceEditor {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly bursts: BurstExecutor,
  ) {}

  /** The instance as an execution context, to look at. @throws InstanceNotFoundError */
  async open(instanceId: string): Promise<WorkflowExecutionContext> {
    const stored = await this.load(instanceId);
    return this.opened(await this.definitions.graph(stored.definitionVersionId), stored);
  }

  /**
   * Variables of the workflow, for people. Of an instance whose definition is not here, or does not compile, those that its state has.
   * @throws InstanceNotFoundError
   */
  async variables(instanceId: string): Promise<ShownVariable[]> {
    const stored = await this.load(instanceId);
    let graph: WorkflowGraph;
    try {
      graph = await this.definitions.graph(stored.definitionVersionId);
    } catch (error) {
      if (!isWaymarkError(error) || !error.code.startsWith('WM10')) throw error;
      return variablesOfState(stored.state);
    }
    return shownVariables(await this.opened(graph, stored));
  }

  private async load(instanceId: string): Promise<LoadedInstance> {
    const stored = await this.persistence.instances.load(instanceId);
    if (!stored) throw new InstanceNotFoundError(instanceId);
    return stored;
  }

  private async opened(graph: WorkflowGraph, { id, state }: LoadedInstance): Promise<WorkflowExecutionContext> {
    return this.engine.runner.createPaced({ graph, instanceId: id, state, keepsUnreadable: true });
  }

  /**
   * Makes a change, runs what it schedules as a burst, and commits both. What the change throws leaves everything as it was; it is made anew when
   * another commit comes first.
   * @param open returns another version to continue with, and the state for it
   * @param extras what the commit uses up besides
   * @throws InstanceNotFoundError
   */
  async change(
    instanceId: string,
    change: (wec: WorkflowExecutionContext) => unknown,
    open?: OpenInstance,
    extras?: BurstExtras,
  ): Promise<WorkflowState> {
    const apply = async (wec: WorkflowExecutionContext) => {
      await change(wec);
      for (let work = wec.takeTracked(); work; work = wec.takeTracked()) await Promise.all(work);
      // The instance ends with its last activity, also when that was not executed but cancelled.
      if (wec.rootContext && wec.queue.size === 0) wec.settle();
    };
    return (await this.bursts.change(instanceId, apply, open, extras)).state;
  }
}
