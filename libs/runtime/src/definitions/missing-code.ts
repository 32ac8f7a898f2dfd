import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowCodeMissing, WorkflowEvent } from '../events/workflow-events.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';

/** Work that was not seen again for that long has been done by another node. */
const FORGOTTEN_AFTER_MS = 60_000;

interface Entry {
  readonly alarm: WorkflowCodeMissing;
  seenAt: number;
  isRaised: boolean;
}

/** Monitors work that waits for a node with the code of its version, and raises an alarm if no node takes it. */
@Injectable()
export class MissingCode {
  private readonly logger = new WorkflowLogger('Workflow');
  /** By version id. */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clock: WorkflowClock,
    private readonly events: WorkflowEventEmitter,
    @Inject(RUNTIME_OPTIONS) private readonly options: Pick<ResolvedRuntimeOptions, 'missingCodeAlarmMs'>,
  ) {}

  /** Versions whose work has waited for longer than `missingCodeAlarmMs`, for health checks. */
  get alarms(): readonly WorkflowCodeMissing[] {
    this.forget();
    return [...this.entries.values()].filter(({ isRaised }) => isRaised).map(({ alarm }) => alarm);
  }

  /** Notes that work of a version waits. @param since time at which the work was due */
  async waits(error: WorkflowCodeMissingError, since: Date): Promise<void> {
    this.forget();
    const { definitionId, definitionVersionId, version, missing } = error;
    const known = this.entries.get(definitionVersionId);
    const alarm = new WorkflowCodeMissing(definitionId, definitionVersionId, version, missing, since);
    const entry: Entry = { alarm, seenAt: this.clock.monotonic(), isRaised: known?.isRaised ?? false };
    this.entries.set(definitionVersionId, entry);
    if (entry.isRaised || this.clock.now() - since.getTime() < this.options.missingCodeAlarmMs) return;
    entry.isRaised = true;
    this.logger.error(
      `No node can run version ${version} of workflow '${definitionId}': work has been waiting since ${since.toISOString()}. ` +
        `This node lacks: ${missing.join(', ')}. Deploy a node with the code of that version, or migrate its instances.`,
    );
    await this.events.emit(WorkflowEvent.CodeMissing, alarm);
  }

  /** Notes that no work of a version waits any more. */
  served(definitionVersionId: string): void {
    this.entries.delete(definitionVersionId);
  }

  private forget(): void {
    const before = this.clock.monotonic() - FORGOTTEN_AFTER_MS;
    for (const [id, { seenAt }] of this.entries) if (seenAt < before) this.entries.delete(id);
  }
}
