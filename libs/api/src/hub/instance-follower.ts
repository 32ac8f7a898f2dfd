import { EventEmitter } from 'node:events';
import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, type WorkflowClock, type WorkflowPersistence } from '@waymark/runtime';
import { isStoreOutage, WorkflowLogger } from '@waymark/runtime/adapter';
import { HubMessageError, ResourceNotFoundError } from '../answers/api-errors.js';
import { isWanted, type LiveEvent, type LiveFilter } from '../live/live-events.js';
import type { LiveFeed } from '../live/live-feed.js';
import type { LiveSubscriber } from '../live/live-subscriber.js';
import type { HubConnection, HubMethods } from './hub-connection.js';
import { invocation, invocationOfText } from './hub-messages.js';
import type { NodeStatisticsReader } from './node-statistics-reader.js';
import { SentStatistics } from './sent-statistics.js';

/** Instances that a connection may observe. Elsa Studio observes one. */
const MOST_INSTANCES = 10;
const MOST_ID_LENGTH = 255;
/** About the size of a message with statistics. */
const MESSAGE_BYTES = 16 * 1024;
/** Statistics are computed from the whole journal of an instance: once a second at most, and for a tenth of the time. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 10;

interface FollowerServices {
  readonly feed: LiveFeed;
  readonly persistence: WorkflowPersistence;
  readonly statistics: NodeStatisticsReader;
  readonly clock: WorkflowClock;
  /** Bytes that may be buffered for the client; half of them by statistics. */
  readonly bufferBytes: number;
}

/** Sends the changes of the instances that one connection observes. */
export class InstanceFollower extends EventEmitter implements HubMethods, LiveSubscriber {
  private readonly logger = new WorkflowLogger('WorkflowApi');
  private readonly ids = new Set<string>();
  readonly wanted: LiveFilter = { topics: new Set(['instances']), workflowInstanceIds: this.ids };
  destroyed = false;
  private isFollowing = false;
  /** Instances whose statistics have to be sent. */
  private readonly changed = new Set<string>();
  /** Those of them that could not be read. */
  private readonly failed = new Set<string>();
  private readonly sent = new SentStatistics();
  private cancelPause: CancelTimer | undefined;
  private isReading = false;

  constructor(
    private readonly connection: HubConnection,
    private readonly services: FollowerServices,
  ) {
    super();
  }

  get isUsed(): boolean {
    return this.ids.size > 0;
  }

  /** @throws HubMessageError, ResourceNotFoundError */
  async call(target: string, args: readonly unknown[]): Promise<void> {
    if (target.toLowerCase() !== 'observeinstanceasync')
      throw new HubMessageError(`This hub has no method "${target.slice(0, 100)}", only "ObserveInstanceAsync".`);
    const [id, ...more] = args;
    if (typeof id !== 'string' || id === '' || id.length > MOST_ID_LENGTH || more.length > 0)
      throw new HubMessageError('"ObserveInstanceAsync" takes one argument, the id of an instance.');
    await this.observe(id);
  }

  tell(event: LiveEvent): void {
    // Elsa sends nothing when an instance is deleted: its clients would request the instance.
    if (event.name === 'instance-changed' && isWanted(this.wanted, event)) this.update(event.workflowInstanceId!);
  }

  reset(): void {
    for (const id of this.ids) this.update(id);
  }

  // oxlint-disable-next-line no-empty-function -- the connection sends its own pings, and clients do not resume from a position
  note(): void {}

  /** The connection checks its credentials itself. */
  hasEnded(): boolean {
    return false;
  }

  /** Called by the feed at shutdown, and by the connection when it has closed. */
  end(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.cancelPause?.();
    this.connection.end(true);
    this.emit('close');
  }

  private async observe(id: string): Promise<void> {
    if (this.ids.has(id)) return;
    if (this.ids.size >= MOST_INSTANCES)
      throw new HubMessageError(`A connection observes ${MOST_INSTANCES} instances at most. Open another connection.`);
    const { items } = await this.services.persistence.instances.findMany({ ids: [id] }, undefined, {
      skip: 0,
      take: 1,
    });
    if (items.length === 0) throw new ResourceNotFoundError('workflow instance', id);
    this.ids.add(id);
    try {
      if (this.isFollowing) await this.services.feed.tellOf(this, [id]);
      else await this.services.feed.follow(this);
      this.isFollowing = true;
    } catch (error) {
      this.ids.delete(id);
      throw error;
    }
  }

  private update(workflowInstanceId: string): void {
    this.connection.send(invocation('WorkflowInstanceUpdatedAsync', { workflowInstanceId }));
    this.connection.send(invocation('WorkflowExecutionLogUpdatedAsync', {}));
    if (!this.connection.caller.seesExecutions) return;
    this.changed.add(workflowInstanceId);
    void this.sendChangedStatistics();
  }

  /** One instance after the other, followed by a pause in which changes accumulate. */
  private async sendChangedStatistics(): Promise<void> {
    if (this.isReading || this.cancelPause || this.destroyed) return;
    this.isReading = true;
    const { clock } = this.services;
    const beganAt = clock.monotonic();
    for (const id of [...this.changed]) {
      this.changed.delete(id);
      try {
        if (!(await this.sendStatistics(id))) this.changed.add(id);
        this.failed.delete(id);
      } catch (error) {
        // Once until they can be read again: they are tried after each pause.
        if (!this.failed.has(id))
          this.logger.warn(`Statistics of instance ${id} could not be read for the hub: ${toErrorLike(error).message}`);
        // No other event may follow: a client would show the instance as it was before its last change.
        if (!isPassing(error)) continue;
        this.changed.add(id);
        this.failed.add(id);
      }
    }
    this.isReading = false;
    if (this.destroyed) return;
    const pauseMs = Math.max(PAUSE_MS, (clock.monotonic() - beganAt) * PAUSE_FACTOR);
    const goOn = () => {
      this.cancelPause = undefined;
      return this.changed.size > 0 ? this.sendChangedStatistics() : undefined;
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- the clock of tests waits for the promise
    this.cancelPause = clock.setTimer(goOn, pauseMs, { isPoll: true });
  }

  /** Sends the nodes whose statistics changed since they were sent. @returns false: the buffer is full, so the rest has to be sent later */
  private async sendStatistics(id: string): Promise<boolean> {
    const most = this.services.bufferBytes / 2;
    const statistics = await this.services.statistics.of(id);
    const news = await this.sent.news(id, statistics, most / 4);
    if (this.destroyed) return true;
    for (const part of partsOf(news, Math.min(MESSAGE_BYTES, most / 2))) {
      const text = invocationOfText(
        'ActivityExecutionLogUpdatedAsync',
        `{"stats":[${part.map((one) => one.text).join()}]}`,
      );
      if (this.connection.waiting + Buffer.byteLength(text) > most) return false;
      this.connection.send(text);
      this.sent.note(part);
    }
    return true;
  }
}

function* partsOf<T extends { readonly text: string }>(all: readonly T[], most: number): Generator<readonly T[]> {
  let part: T[] = [];
  let length = 0;
  for (const one of all) {
    if (part.length > 0 && length + one.text.length > most) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(one);
    length += one.text.length;
  }
  if (part.length > 0) yield part;
}

/** An outage of the store, or no memory for large answers at the time (`WM5080`). */
const isPassing = (error: unknown): boolean => isStoreOutage(error) || isWaymarkError(error, 'WM5080');
