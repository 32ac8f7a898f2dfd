import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, RuntimeNotAcceptingWorkError, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import {
  RUNTIME_OPTIONS,
  type ResolvedRuntimeOptions,
  ShutdownTasks,
  WorkflowEventEmitter,
  WorkflowLogger,
} from '@waymark/runtime/adapter';
import { TooManyLiveClientsError } from '../answers/api-errors.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { definitionsSince, MOST_CHANGES, writtenSince } from './changes-since.js';
import { JournalWindow } from './journal-window.js';
import { LiveChanges } from './live-changes.js';
import { LiveClient, type LiveClientOptions } from './live-client.js';
import { eventText, type LiveEvent, type LiveFilter, type LiveTopic } from './live-events.js';
import { listenToChanges } from './live-listeners.js';
import { LiveOperations } from './live-operations.js';
import { formatPosition, type LivePosition, parsePosition } from './live-position.js';
import type { LiveSubscriber } from './live-subscriber.js';
import { OwnedCounts } from './owned-counts.js';
import { Recipients } from './recipients.js';

const HEARTBEAT_MS = 15_000;
/** Delay after a change on this node, so that changes in quick succession are read together. */
const SOON_MS = 50;
/** Two, so that a change on another node is reported within one poll interval. */
const LOOKS_PER_INTERVAL = 2;

/** An event without data: browsers dispatch nothing, but store its id as the one to resume from. */
const positionNote = (position: string): string => `id: ${position}\n\n`;

/**
 * Sends clients the changes of instances and definitions on all nodes. Everything is read from the store, so that each node
 * reports the same; events of this node only decide when to read. Without clients, nothing is read.
 */
@Injectable()
export class LiveFeed implements OnApplicationBootstrap {
  private readonly logger = new WorkflowLogger('WorkflowApi');
  private readonly clients = new Set<LiveSubscriber>();
  private readonly journal: JournalWindow;
  private connecting = 0;
  /** Clients of `connect`, which count towards the limits `liveClients` and `liveClientsPerUser`. */
  private readonly streams = new OwnedCounts();
  private isClosed = false;
  private isFailing = false;
  private stopListening: (() => void) | undefined;
  private cancelLook: CancelTimer | undefined;
  private cancelHeartbeat: CancelTimer | undefined;
  private lookAt = Infinity;
  /** Serializes looks and new clients, so that no client receives an older state after a newer one. */
  private work: Promise<unknown> = Promise.resolve();
  private definitions = { counter: 0, unnamed: 0 };
  /** Instances whose changes have not been reported yet. */
  private pending = new Set<string>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly events: WorkflowEventEmitter,
    private readonly changes: LiveChanges,
    private readonly operations: LiveOperations,
    private readonly clock: WorkflowClock,
    private readonly shutdown: ShutdownTasks,
    @Inject(RUNTIME_OPTIONS) private readonly runtime: ResolvedRuntimeOptions,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {
    this.journal = new JournalWindow(persistence.journal, clock);
  }

  onApplicationBootstrap(): void {
    this.shutdown.add(() => this.close());
  }

  /** How many clients follow changes at this node. */
  get size(): number {
    return this.clients.size;
  }

  /**
   * @param owner clients with the same one share the limit `liveClientsPerUser`
   * @param lastEventId id of the last event that the client has received
   * @param until when its credentials expire, in milliseconds since 1970
   * @throws TooManyLiveClientsError, RuntimeNotAcceptingWorkError
   */
  async connect(
    filter: LiveFilter,
    owner: string,
    lastEventId: string | undefined,
    until?: LiveClientOptions['until'],
  ): Promise<LiveClient> {
    const { liveClients, liveClientsPerUser, liveBufferBytes } = this.options;
    if (this.streams.total >= liveClients) throw new TooManyLiveClientsError(liveClients, 'liveClients');
    if (this.streams.of(owner) >= liveClientsPerUser)
      throw new TooManyLiveClientsError(liveClientsPerUser, 'liveClientsPerUser');
    const client = new LiveClient(filter, { bufferBytes: liveBufferBytes, until });
    client.once('close', this.streams.add(owner));
    try {
      await this.follow(client, lastEventId);
      return client;
    } catch (error) {
      client.destroy();
      throw error;
    }
  }

  /**
   * Reports changes to the subscriber until it closes, and first the state of what it asks for by id. The caller limits how many
   * subscribers there are.
   * @throws RuntimeNotAcceptingWorkError
   */
  async follow(subscriber: LiveSubscriber, lastEventId?: string): Promise<void> {
    if (this.isClosed) throw new RuntimeNotAcceptingWorkError('draining');
    this.connecting++;
    try {
      await this.inTurn(() => this.admit(subscriber, lastEventId));
      if (this.isClosed) subscriber.end('shutdown');
    } finally {
      this.connecting--;
      this.stopIfLeft();
    }
  }

  /** Reports the state of instances that a subscriber has added to what it wants. */
  async tellOf(subscriber: LiveSubscriber, workflowInstanceIds: readonly string[]): Promise<void> {
    await this.inTurn(async () => {
      for await (const event of this.changes.allOf(workflowInstanceIds))
        this.tell(event, [subscriber], this.position());
    });
  }

  private async admit(client: LiveSubscriber, lastEventId: string | undefined): Promise<void> {
    if (!this.stopListening) await this.start();
    const since = lastEventId === undefined ? undefined : parsePosition(lastEventId);
    const from = formatPosition(since ?? this.standing());
    client.note(`retry: 2000\n${eventText('ready', { topics: [...client.wanted.topics] }, from)}`);
    if (lastEventId !== undefined) await this.replay(client, since, from);
    // The current state of instances that were asked for by id: they may have changed since the client has read them.
    const ids = client.wanted.topics.has('instances') ? client.wanted.workflowInstanceIds : undefined;
    if (ids) for await (const event of this.changes.allOf([...ids])) this.tell(event, [client], from);
    client.note(positionNote(this.position()));
    if (client.destroyed) return;
    this.clients.add(client);
    client.once('close', () => {
      this.clients.delete(client);
      this.stopIfLeft();
    });
  }

  /** Reports what changed since that position, or a reset when that is not known any more. */
  private async replay(client: LiveSubscriber, since: LivePosition | undefined, from: string): Promise<void> {
    const { topics, workflowInstanceIds } = client.wanted;
    // Instances that were asked for by id are reported in any case.
    if (topics.has('instances') && !workflowInstanceIds) {
      const ids = since && (await writtenSince(this.persistence, since));
      if (!ids) this.reset('instances', [client]);
      else for await (const event of this.changes.allOf(ids)) this.tell(event, [client], from);
    }
    if (topics.has('definitions')) {
      const ids = since && (await definitionsSince(this.persistence, since));
      if (!ids) this.reset('definitions', [client]);
      else for (const event of await this.changes.definitions(ids)) this.tell(event, [client], from);
    }
  }

  private async start(): Promise<void> {
    this.changes.forget();
    this.operations.forget();
    this.pending = new Set();
    // Before the first read, so that changes in between are noticed.
    const stopListening = listenToChanges(this.events, {
      instances: (ids) => {
        for (const id of ids) this.pending.add(id);
        this.lookWithin(SOON_MS);
      },
      definitions: () => this.lookWithin(SOON_MS),
    });
    try {
      await this.journal.begin();
      this.definitions = (await this.persistence.definitions.findChanges(undefined)).position;
      // The state that later looks compare with. Clients read the current one after this.
      await this.operations.haveChanged();
    } catch (error) {
      stopListening();
      throw error;
    }
    this.stopListening = stopListening;
    this.lookWithin(this.intervalMs);
    this.beat();
  }

  private stopIfLeft(): void {
    if (this.clients.size > 0 || this.connecting > 0) return;
    this.stopListening?.();
    this.stopListening = undefined;
    this.cancelLook?.();
    this.cancelHeartbeat?.();
    this.lookAt = Infinity;
  }

  private async close(): Promise<void> {
    this.isClosed = true;
    for (const client of this.clients) client.end('shutdown');
    this.clients.clear();
    this.stopIfLeft();
    await this.work;
  }

  private get intervalMs(): number {
    return this.runtime.pollIntervalMs / LOOKS_PER_INTERVAL;
  }

  private lookWithin(delayMs: number): void {
    const at = this.clock.now() + delayMs;
    // While starting, the end of `start` schedules the first look.
    if (!this.stopListening || this.lookAt <= at) return;
    this.cancelLook?.();
    this.lookAt = at;
    const look = (): Promise<void> => {
      this.lookAt = Infinity;
      return this.inTurn(() => this.look())
        .catch((error: unknown) => this.reportFailure(error))
        .finally(() => this.lookWithin(this.intervalMs));
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- the clock of tests waits for the promise
    this.cancelLook = this.clock.setTimer(look, delayMs, { isPoll: true });
  }

  private async look(): Promise<void> {
    if (!this.stopListening) return;
    const before = this.position();
    const taken = this.pending;
    this.pending = new Set();
    try {
      const written = await this.journal.read();
      for (const id of written ?? []) taken.add(id);
      if (!written || taken.size > MOST_CHANGES) this.reset('instances', this.clients);
      else await this.tellOfChanged(taken, before);
    } catch (error) {
      // The next look reads them again.
      for (const id of taken) this.pending.add(id);
      throw error;
    }
    const { position, definitionIds } = await this.persistence.definitions.findChanges(this.definitions);
    if (!definitionIds || definitionIds.length > MOST_CHANGES) this.reset('definitions', this.clients);
    else for (const event of await this.changes.definitions(definitionIds)) this.tell(event, this.clients, before);
    this.definitions = position;
    const news = await this.operations.news(this.clients);
    if (news) this.tell(news, this.clients, before);
    this.isFailing = false;
    if (this.position() !== before) for (const client of this.clients) client.note(positionNote(this.position()));
  }

  /** Instances asked for by id are read in each look: a deletion by another node leaves no trace in the journal. */
  private async tellOfChanged(changed: ReadonlySet<string>, position: string): Promise<void> {
    const recipients = new Recipients(this.clients);
    for await (const event of this.changes.instances([...new Set([...changed, ...recipients.instanceIds])]))
      this.tell(event, recipients.of(event.workflowInstanceId!), position);
  }

  /** @param position before the events of this look: a client that resumes from there misses none of them */
  private tell(event: LiveEvent, clients: Iterable<LiveSubscriber>, position: string): void {
    const text = eventText(event.name, event.data, position);
    for (const client of clients) client.tell(event, text);
  }

  private reset(topic: LiveTopic, clients: Iterable<LiveSubscriber>): void {
    for (const client of clients) client.reset(topic);
  }

  private standing(): LivePosition {
    return { write: this.journal.floor, definitions: this.definitions };
  }

  private position(): string {
    return formatPosition(this.standing());
  }

  /** Keeps proxies from closing idle connections, and ends those whose login has expired. */
  private beat(): void {
    this.cancelHeartbeat = this.clock.setTimer(
      () => {
        const now = this.clock.now();
        for (const client of this.clients) {
          if (client.hasEnded(now)) client.end('login');
          else client.note(': heartbeat\n\n');
        }
        if (this.stopListening) this.beat();
      },
      HEARTBEAT_MS,
      { isPoll: true },
    );
  }

  private reportFailure(error: unknown): void {
    // Only once per outage.
    if (!this.isFailing)
      this.logger.warn(
        `Failed to read changes for live clients; retrying with the next poll: ${toErrorLike(error).message}`,
      );
    this.isFailing = true;
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.work.catch(() => undefined).then(task);
    this.work = result.catch(() => undefined);
    return result;
  }
}
