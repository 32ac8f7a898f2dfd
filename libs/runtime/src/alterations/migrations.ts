import { Injectable } from '@nestjs/common';
import {
  isWaymarkError,
  type MigrationProblem,
  type MigrationReport,
  StoredValueError,
  type WorkflowGraph,
  type WorkflowState,
} from '@waymark/core';
import { decodeInParts, encodeInParts, migrateInParts, type MigrationState } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { LoadedInstance } from '../persistence/records.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import {
  InstanceBusyError,
  MigrationNotUndoableError,
  MigrationRefusedError,
  type MigrationRequest,
} from '../services/migration-services.js';
import { textInParts } from './text-in-parts.js';

/** An instance as the other version has it. */
export interface OpenedInstance {
  readonly graph: WorkflowGraph;
  readonly state: WorkflowState;
  /** To be stored with it, so that it can be undone; undefined when this was the undoing. */
  readonly migration?: MigrationState;
  readonly report?: MigrationReport;
}

interface Planned extends Partial<Pick<OpenedInstance, 'graph' | 'state'>> {
  readonly report: MigrationReport;
}

/** Finds out what becomes of an instance in another version, and makes its state for that. Stores nothing. */
@Injectable()
export class Migrations {
  constructor(
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  private readonly pause = async (): Promise<void> => this.engine.runner.engine.yield?.();

  async report(before: LoadedInstance, request: MigrationRequest): Promise<MigrationReport> {
    return (await this.plan(before, request, true)).report;
  }

  /** @throws MigrationRefusedError, InstanceBusyError */
  async open(before: LoadedInstance, request: MigrationRequest, by: string | undefined): Promise<OpenedInstance> {
    const { graph, state, report } = await this.plan(before, request, false);
    if (report.problems.some(({ code }) => code === 'Busy')) throw new InstanceBusyError(before.id);
    if (!graph || !state || !report.isPossible) throw new MigrationRefusedError(report);
    const { migration: earlier, ...stored } = before.state;
    // Done again, as a plan that is submitted twice does it: undoing it leads back to where the first one began.
    if (earlier && request.targetVersion === before.version) return { graph, state, report, migration: earlier };
    const migration: MigrationState = {
      fromVersion: before.version,
      at: new Date(this.clock.now()),
      ...(by !== undefined && { by }),
      // As text, which is neither read nor shared until the migration is undone.
      before: await textInParts((await encodeInParts(stored, 'instance.state', this.pause)) as object, this.pause),
    };
    return { graph, state, report, migration };
  }

  /** @throws MigrationNotUndoableError, StoredValueError */
  async undo({ id, state }: LoadedInstance): Promise<OpenedInstance> {
    const { migration, executionLogSequence } = state;
    if (!migration) throw new MigrationNotUndoableError(id);
    const before = await this.stateBefore(id, migration);
    const graph = await this.definitions.graph(before.definitionVersionId);
    return { graph, state: { ...before, executionLogSequence } };
  }

  /** @throws StoredValueError that names the instance, without the error of the parser: that one shows a part of the text */
  private async stateBefore(id: string, { before }: MigrationState): Promise<WorkflowState> {
    const place = `the state before the last migration of instance "${id}"`;
    let json: unknown;
    try {
      json = JSON.parse(before);
    } catch {
      throw new StoredValueError('it is not JSON', place);
    }
    try {
      const state = await decodeInParts<Partial<WorkflowState> | null>(json, this.pause);
      if (typeof state?.definitionVersionId !== 'string') throw new StoredValueError('it is not a state');
      return state as WorkflowState;
    } catch (error) {
      throw isWaymarkError(error, 'WM1054') ? new StoredValueError((error as StoredValueError).reason, place) : error;
    }
  }

  /** @param isLenient what this node cannot decrypt is left as it is, for a report */
  private async plan(
    before: LoadedInstance,
    { targetVersion, mapping }: MigrationRequest,
    isLenient: boolean,
  ): Promise<Planned> {
    const { definitionId } = before;
    const refusals = refusalsOf(before);
    const target = await this.definitions.find({ definitionId, versionOptions: targetVersion });
    if (!target) {
      const message = `There is no version ${targetVersion} of the workflow '${definitionId}'.`;
      refusals.push({ code: 'NoVersion', message });
    }
    if (!target || refusals.some(({ code }) => code === 'Ended'))
      return { report: emptyReport(before, targetVersion, refusals) };
    const [from, graph] = [
      await this.definitions.graph(before.definitionVersionId),
      await this.definitions.graph(target.id),
    ];
    const request = { graph: from, instanceId: before.id, state: before.state, keepsUnreadable: isLenient };
    const wec = await this.engine.runner.createPaced(request);
    const { state, report } = await migrateInParts(wec, before.state, graph, mapping, this.pause);
    if (refusals.length === 0) return { graph, state, report };
    return { report: { ...report, isPossible: false, problems: [...refusals, ...report.problems] } };
  }
}

function refusalsOf({ status, subStatus, state }: LoadedInstance): MigrationProblem[] {
  if (status !== 'Running' && subStatus !== 'Faulted')
    return [{ code: 'Ended', message: `The instance has ended (${subStatus}).` }];
  // What is under way would be done again by the other version.
  const isBusy = state.isExecuting || state.scheduledActivities.length > 0 || subStatus === 'Executing';
  return isBusy && status === 'Running'
    ? [{ code: 'Busy', message: 'A burst of the instance is running. Try again when the instance waits.' }]
    : [];
}

function emptyReport(
  { id, definitionId, version }: LoadedInstance,
  toVersion: number,
  problems: readonly MigrationProblem[],
): MigrationReport {
  return {
    workflowInstanceId: id,
    definitionId,
    fromVersion: version,
    toVersion,
    isPossible: false,
    problems,
    waits: [],
    activities: [],
    variables: [],
    notes: [],
  };
}
