import type { Bookmark, WorkflowState, ActivityExecutionRecord, WorkflowExecutionLogEntry } from '@waymark/core';

import { IEventPublisher, ITaskReporter, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { type LoadedInstance } from '@waymark/runtime/adapter';
import type { TestApplication } from './application.js';

/** One instance as it was stored when it was looked at, with what it did until then. */
export class Run {
  private constructor(
    private readonly application: TestApplication,
    readonly stored: LoadedInstance,
    readonly log: readonly WorkflowExecutionLogEntry[],
    readonly records: readonly ActivityExecutionRecord[],
  ) {}

  static async load(application: TestApplication, id: string): Promise<Run> {
    const { instances, journal } = application.get(WorkflowPersistence);
    const stored = await instances.load(id);
    if (!stored) throw new Error(`There is no instance '${id}'.`);
    return new Run(application, stored, await journal.readLog(id), await journal.readRecords(id));
  }

  get id(): string {
    return this.stored.id;
  }

  get state(): WorkflowState {
    return this.stored.state;
  }

  /** Sub-status alone: it implies the status. */
  get status(): string {
    return this.stored.subStatus;
  }

  get output(): Readonly<Record<string, unknown>> {
    return this.state.output;
  }

  get bookmarks(): readonly Bookmark[] {
    return this.state.bookmarks;
  }

  /** Messages of the incidents. */
  get incidents(): string[] {
    return this.state.incidents.map((i) => i.message);
  }

  /** Texts that WriteLine wrote, in order of execution. */
  get lines(): unknown[] {
    const byId = new Map(this.records.map((record) => [record.id, record]));
    return this.log
      .filter((e) => e.eventName === 'Started' && e.activityType === 'Elsa.WriteLine')
      .map((e) => byId.get(e.activityInstanceId)?.activityState?.Text);
  }

  /** Ids of activities in the order in which they started. */
  get started(): string[] {
    return this.events('Started');
  }

  /** Ids of activities in the order of one event. */
  events(eventName: string): string[] {
    return this.log.filter((e) => e.eventName === eventName).map((e) => e.activityId);
  }

  /** All executions of an activity. */
  recordsOf(activityId: string): ActivityExecutionRecord[] {
    return this.records.filter((record) => record.activityId === activityId);
  }

  /** The only execution of an activity. */
  record(activityId: string): ActivityExecutionRecord {
    const found = this.recordsOf(activityId);
    if (found.length !== 1) throw new Error(`'${activityId}' was executed ${found.length} times.`);
    return found[0]!;
  }

  /** Outcomes of each execution of an activity; records leave out the default one. */
  outcomes(activityId: string): unknown[] {
    return this.recordsOf(activityId).map(({ payload, status }) =>
      status === 'Completed' ? (payload?.Outcomes ?? ['Done']) : undefined,
    );
  }

  /** Values of the variables of the workflow and its open containers, by id. */
  get variables(): Record<string, unknown> {
    const scopes = this.state.activityExecutionContexts.map((c) => c.properties.Variables ?? {});
    return Object.assign({}, ...scopes) as Record<string, unknown>;
  }

  get waitingAt(): string[] {
    return this.bookmarks.map((b) => b.activityId).sort();
  }

  /** Looks again. */
  again(): Promise<Run> {
    return this.application.instance(this.id);
  }

  /** Publishes an event for this instance only. */
  async event(name: string, payload?: unknown): Promise<Run> {
    await this.application.get(IEventPublisher).publish(name, { workflowInstanceId: this.id, payload });
    await this.application.settled();
    return this.again();
  }

  /** Reports the task that waits at that activity. */
  async complete(activityId: string, result?: unknown): Promise<Run> {
    const bookmark = this.bookmarks.find((b) => b.activityId === activityId);
    if (!bookmark) throw new Error(`No task waits at '${activityId}', only: ${this.waitingAt.join(', ')}.`);
    const { taskId } = bookmark.payload as { taskId: string };
    await this.application.get(ITaskReporter).reportCompletion(taskId, result);
    await this.application.settled();
    return this.again();
  }

  async cancel(): Promise<Run> {
    const client = await this.application.get(IWorkflowRuntime).createClient(this.id);
    await client.cancel();
    await this.application.settled();
    return this.again();
  }
}
