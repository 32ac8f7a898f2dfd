import {
  BookmarkNotFoundError,
  CommitOutcomeUnknownError,
  IBookmarkResumer,
  type IWorkflowCancellationService,
  IWorkflowStarter,
  MemoryPersistence,
  type MissingCode,
  type RunInstanceResult,
  RuntimeGate,
  RuntimeNotAcceptingWorkError,
  StoreHealth,
  StoreUnavailableError,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
  type StoredTrigger,
  WorkflowClock,
  type StoredBookmark,
} from '@waymark/runtime';
import {
  type BurstCommit,
  type DueResumes,
  type HeldStart,
  type HeldStarts,
  type OutboxMessage,
  StoreOutages,
  type WorkflowInstanceRecord,
  type TriggeredStart,
  type TriggerFiring,
} from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { CronSchedule } from '../cron/cron-schedule.js';
import { resolveSchedulingOptions, type SchedulingOptions } from '../module/scheduling-options.js';
import { OverlapStarts } from '../triggers/overlap-starts.js';
import { TriggerStarts } from '../triggers/trigger-starts.js';
import { WakeUpTimer } from '../wake-up/wake-up-timer.js';
import { Attendance } from './attendance.js';
import { DueBookmarks } from './due-bookmarks.js';
import { DueSchedules } from './due-schedules.js';
import { DueTriggers } from './due-triggers.js';
import { DueWorkRunner } from './due-work-runner.js';
import { OccurrenceClaims } from './occurrence-claims.js';

// Shared by specifications, and one itself: so it is neither compiled nor published.

export const T0 = Date.parse('2026-03-01T00:00:00Z');
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What happens to the next commit of a node, if not that it just succeeds. */
export type Mishap = 'dies before it' | 'dies after it' | 'loses the answer' | 'is refused';

/** Everything the nodes share: the time, the store, and a record of what was really fired. */
export class Cluster {
  readonly clock: VirtualClock;
  readonly store = new MemoryPersistence();
  readonly nodes: Node[] = [];
  /** `trigger or bookmark id @ milliseconds after T0`, of the occurrence; in order of firing. */
  readonly fired: string[] = [];
  readonly attempts: number[] = [];
  /** Instances, in order. */
  readonly cancelled: string[] = [];
  private ids = 0;

  /** @param patienceMs real milliseconds that time waits for a start that does not end */
  constructor(
    private readonly options: SchedulingOptions = {},
    patienceMs = 20,
  ) {
    this.clock = new VirtualClock(T0, { patienceMs });
  }

  /** Whether starts are messages, which the claim of many occurrences stores; else, each start claims for itself. */
  startsByMessage = false;

  start(count = 1, options: SchedulingOptions = {}): Node {
    for (let i = 0; i < count; i++)
      this.nodes.push(new Node(this, resolveSchedulingOptions({ ...this.options, ...options })));
    return this.nodes.at(-1)!;
  }

  /** What the outbox of a living node does with the messages of starts that others have left. */
  async serveMessages(): Promise<void> {
    const claim = { owner: 'outbox', limit: 10_000, leaseMs: SECOND, now: new Date(this.clock.now()) };
    for (const message of await this.store.outbox.claim(claim)) {
      await this.store.commit({
        ...burst(this.nextId('instance'), 'Finished'),
        consumedMessageIds: [message.id],
      });
      this.fired.push(occurrenceOf(message));
    }
  }

  nextId = (prefix: string): string => `${prefix}-${++this.ids}`;

  async addTrigger(id: string, name: string, payload: object, dueAt: number | null): Promise<void> {
    const row: StoredTrigger = {
      id,
      workflowDefinitionId: `of-${id}`,
      workflowDefinitionVersionId: `of-${id}-1`,
      name,
      activityId: 'A',
      hash: `${name} ${JSON.stringify(payload)}`,
      payload,
      dueAt: dueAt === null ? null : new Date(dueAt),
    };
    await this.store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [row], removedTriggerIds: [] });
  }
  timer = (id: string, ms: number, extra: object = {}): Promise<void> =>
    this.addTrigger(
      id,
      'Elsa.Timer',
      { interval: `00:${pad(ms / MINUTE)}:${pad((ms % MINUTE) / SECOND)}`, ...extra },
      this.clock.now() + ms,
    );
  cron = (id: string, cronExpression: string, extra: object = {}): Promise<void> => {
    const dueAt = new CronSchedule(cronExpression).next(new Date(this.clock.now()))!.getTime();
    return this.addTrigger(id, 'Elsa.Cron', { cronExpression, ...extra }, dueAt);
  };
  startAt = (id: string, at: number): Promise<void> =>
    this.addTrigger(id, 'Elsa.StartAt', { executeAt: new Date(at) }, at);

  /** An instance that waits until then. */
  async delay(id: string, ms: number): Promise<void> {
    const dueAt = new Date(this.clock.now() + ms);
    const row = {
      id,
      name: 'Elsa.Delay',
      hash: 'H',
      workflowInstanceId: `i-${id}`,
      activityInstanceId: 'a',
      createdAt: dueAt,
      dueAt,
    };
    await this.store.commit({ ...burst(`i-${id}`, 'Running'), addedBookmarks: [row] });
  }

  async trigger(id: string): Promise<StoredTrigger | undefined> {
    return (await this.store.triggers.findMany({ ids: [id] }))[0];
  }

  /** Occurrences so far, as seconds after T0. */
  firedSeconds(id: string): number[] {
    return this.fired.filter((f) => f.startsWith(`${id}@`)).map((f) => Number(f.split('@')[1]) / SECOND);
  }
}

/** As `Cluster.fired` has it. */
function occurrenceOf({ payload }: Pick<OutboxMessage, 'payload'>): string {
  const { definition, input } = payload as StartMessage;
  return `${definition.definitionVersionId.replace(/^of-(.*)-1$/, '$1')}@${input.ScheduledAt.getTime() - T0}`;
}

interface StartMessage {
  readonly definition: { readonly definitionVersionId: string };
  readonly input: { readonly ScheduledAt: Date };
}

const pad = (n: number): string => String(Math.floor(n)).padStart(2, '0');

function burst(id: string, status: 'Running' | 'Finished'): BurstCommit {
  const instance: WorkflowInstanceRecord = {
    id,
    definitionId: 'd',
    definitionVersionId: 'd-1',
    version: 1,
    status,
    subStatus: status === 'Running' ? 'Suspended' : 'Finished',
    isExecuting: false,
    incidentCount: 0,
    isSystem: false,
    createdAt: new Date(T0),
    updatedAt: new Date(T0),
    state: {} as never,
  };
  return {
    instance,
    expectedRevision: undefined,
    addedBookmarks: [],
    removedBookmarkIds: [],
    consumedBookmarkIds: [],
    journal: { log: [], records: [] },
    outbox: [],
    consumedMessageIds: [],
    queue: [],
    consumedQueueItemIds: [],
  };
}

type TriggerStart = StartWorkflowRequest & { readonly firing?: TriggerFiring };

/** One process: a scheduler with a starter and a resumer that do nothing but commit. */
export class Node extends WorkflowClock {
  readonly runner: DueWorkRunner;
  readonly gate = new RuntimeGate();
  isDead = false;
  /** It lives, and cannot reach the store. */
  isCutOff = false;
  /** Calls that the store refuses. */
  refused: readonly string[] = [];
  /** How far its own clock is ahead of the store's, by which claims are decided. */
  aheadMs = 0;
  /** Calls of the store so far. */
  readonly calls: string[] = [];
  /** The store does the next call of that name, and its answer is lost. */
  losesAnswerTo: string | undefined;
  mishaps: Mishap[] = [];
  private readonly setListeners = new Set<() => void>();
  /** How many resumes were left to messages. */
  asked = 0;
  /** Nothing serves them. */
  messagesWait = false;
  /** Called before a waiting instance is resumed. */
  onResume: ((bookmarkId: string) => Promise<void>) | undefined;
  /** Called in place of the commit of a start. */
  onStart: ((request: TriggerStart) => Promise<StartWorkflowResponse | undefined>) | undefined;

  constructor(
    readonly cluster: Cluster,
    options: ReturnType<typeof resolveSchedulingOptions>,
  ) {
    super();
    const starter: IWorkflowStarter = { start: (request) => this.startWorkflow(request as TriggerStart) };
    const cancellation = { cancel: (id: string) => this.cancel(id) } as unknown as IWorkflowCancellationService;
    const resumer = { resumeWaiting: ({ id }: StoredBookmark) => this.resume(id) } as unknown as IBookmarkResumer;
    const store = this.storeWhileAlive();
    const outages = new StoreOutages(new StoreHealth(store, this), this);
    const attendance = new Attendance(this, outages, options);
    const held = {
      prepare: (start: TriggeredStart) => this.prepare(start),
      serve: (start: HeldStart) => this.serve(start),
      release: ({ message }: HeldStart, at: Date) => store.outbox.postpone(message.id, at),
    } as unknown as HeldStarts;
    const triggers = new DueTriggers(
      store,
      new OccurrenceClaims(store, held, options),
      held,
      new TriggerStarts(store, new OverlapStarts(store, starter, cancellation)),
      this,
      { waits: async () => {} } as unknown as MissingCode,
      attendance,
    );
    const resumes = { ask: (rows: readonly StoredBookmark[]) => this.resumeLater(rows) } as unknown as DueResumes;
    const bookmarks = new DueBookmarks(store, resumer, resumes, this, outages, { nodeName: cluster.nextId('node') });
    const none = undefined as never;
    this.runner = new DueWorkRunner(
      store,
      triggers,
      // The application has scheduled nothing.
      new DueSchedules(store, { claim: async () => new Map() } as never, none, none, none, this, attendance),
      bookmarks,
      new WakeUpTimer(this),
      this,
      this.gate,
      outages,
      attendance,
      options,
    );
    this.runner.start();
  }

  now(): number {
    return this.cluster.clock.now() + this.aheadMs;
  }

  override monotonic(): number {
    return this.cluster.clock.now();
  }

  override whenSet(listener: () => void): () => void {
    this.setListeners.add(listener);
    return () => void this.setListeners.delete(listener);
  }

  /** How far the times of the store that it has heard are from its own. */
  readonly heardOff = new Set<number>();

  override heard(time: number): void {
    this.heardOff.add(this.now() - time);
  }

  /** Its clock is set, so that it is that far ahead of the store's. */
  set(aheadMs: number): void {
    this.aheadMs = aheadMs;
    for (const listener of this.setListeners) listener();
  }

  override storeTime(): Date {
    return new Date(this.cluster.clock.now());
  }

  setTimer(callback: () => unknown, delayMs: number): () => void {
    return this.cluster.clock.setTimer(() => (this.isDead ? undefined : callback()), delayMs);
  }

  private storeWhileAlive(): MemoryPersistence {
    const { store } = this.cluster;
    const guard = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (_, key) => {
          const value: unknown = Reflect.get(target, key, target);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            this.calls.push(String(key));
            if (this.isDead || this.isCutOff || this.refused.includes(String(key)))
              throw new StoreUnavailableError('no connection');
            const answer: unknown = await Reflect.apply(value, target, args);
            if (this.losesAnswerTo !== key) return answer;
            this.losesAnswerTo = undefined;
            throw new CommitOutcomeUnknownError('The answer was lost.');
          };
        },
      });
    const parts = {
      bookmarks: guard(store.bookmarks),
      triggers: guard(store.triggers),
      instances: guard(store.instances),
      outbox: guard(store.outbox),
    };
    const guarded = guard(store);
    return new Proxy(guarded, {
      get: (_, key) => parts[key as keyof typeof parts] ?? (Reflect.get(guarded, key) as unknown),
    });
  }

  private async prepare(start: TriggeredStart): Promise<HeldStart | undefined> {
    if (!this.cluster.startsByMessage) return undefined;
    const { definitionVersionId, triggerActivityId, input } = start;
    const workflowInstanceId = this.cluster.nextId('instance');
    const payload = { definition: { definitionVersionId }, workflowInstanceId, triggerActivityId, input };
    const createdAt = this.storeTime();
    const availableAt = new Date(createdAt.getTime() + 5 * SECOND);
    const id = this.cluster.nextId('message');
    return { message: { id, kind: 'start', payload, createdAt, availableAt, attempts: 0 }, payload };
  }

  private async serve({ message }: HeldStart): Promise<void> {
    this.cluster.attempts.push(this.now());
    const { workflowInstanceId } = message.payload as { workflowInstanceId: string };
    const commit = { ...burst(workflowInstanceId, 'Finished'), consumedMessageIds: [message.id] };
    await this.committed(commit, occurrenceOf(message));
  }

  private async startWorkflow(request: TriggerStart): Promise<StartWorkflowResponse> {
    this.cluster.attempts.push(this.now());
    const answer = await this.onStart?.(request);
    if (answer) return answer;
    const { firing } = request;
    await this.commit(
      { ...burst(this.cluster.nextId('instance'), 'Finished'), firing },
      firing!.triggerId,
      firing!.dueAt,
    );
    return { cannotStart: false };
  }

  private async cancel(id: string): Promise<number> {
    const { store } = this.cluster;
    const { revision } = (await store.instances.load(id))!;
    await store.commit({ ...burst(id, 'Finished'), expectedRevision: revision });
    this.cluster.cancelled.push(id);
    return 1;
  }

  private async resume(id: string): Promise<RunInstanceResult> {
    this.cluster.attempts.push(this.now());
    await this.onResume?.(id);
    const [row] = await this.cluster.store.bookmarks.findMany({ ids: [id] });
    if (!row) throw new BookmarkNotFoundError(id);
    const { revision } = (await this.cluster.store.instances.load(row.workflowInstanceId))!;
    const commit = {
      ...burst(row.workflowInstanceId, 'Finished' as const),
      expectedRevision: revision,
      consumedBookmarkIds: [id],
    };
    await this.commit(commit, id, row.dueAt!);
    return {} as RunInstanceResult;
  }

  /** What the outbox of this node does: a failure is tried again when the claim has ended. */
  private async resumeLater(rows: readonly Pick<StoredBookmark, 'id'>[]): Promise<void> {
    this.asked += rows.length;
    if (this.messagesWait) return;
    for (const { id } of rows) void this.resume(id).catch(() => undefined);
  }

  private commit(commit: BurstCommit, id: string, occurrence: Date): Promise<void> {
    return this.committed(commit, `${id}@${occurrence.getTime() - T0}`);
  }

  private async committed(commit: BurstCommit, occurrence: string): Promise<void> {
    await Promise.resolve(); // a burst takes a while: other nodes go on meanwhile
    const mishap = this.mishaps.shift();
    if (mishap === 'is refused') throw new RuntimeNotAcceptingWorkError('paused');
    if (mishap === 'dies before it') this.isDead = true;
    if (this.isDead) throw new Error('killed');
    await this.cluster.store.commit(commit);
    this.cluster.fired.push(occurrence);
    if (mishap === 'dies after it') this.isDead = true;
    if (mishap) throw new CommitOutcomeUnknownError(mishap);
  }
}

it('the cluster harness counts what the store lets through, not what nodes attempt', async () => {
  const cluster = new Cluster();
  await cluster.startAt('s', T0 + SECOND);
  cluster.start(4);
  await cluster.clock.advance(SECOND);
  expect([cluster.attempts.length, cluster.fired]).toEqual([4, ['s@1000']]);
});
