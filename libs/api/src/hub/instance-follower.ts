import { EventEmitter } from 'node:events';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, type WorkflowClock, type WorkflowPersistence } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { HubMessageError, ResourceNotFoundError } from '../answers/api-errors.js';
import { isWanted, type LiveEvent, type LiveFilter } from '../live/live-events.js';
import type { LiveFeed } from '../live/live-feed.js';
import type { LiveSubscriber } from '../live/live-subscriber.js';
import type { HubConnection, HubMethods } from './hub-connection.js';
import { invocation, invocationOfText } from './hub-messages.js';
import type { NodeStatisticsReader } from './node-statistics-reader.js';

/** Studio observes one. */
const MOST_INSTANCES = 10;
const MOST_ID_LENGTH = 255;
/** Of a message with statistics. */
const MESSAGE_BYTES = 16 * 1024;
/** Statistics of an instance take a walk through its journal: at most one a second, and a tenth of the time. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 10;

export interface FollowerServices {
  readonly feed: LiveFeed;
  readonly persistence: WorkflowPersistence;
  readonly statistics: NodeStatisticsReader;
  readonly clock: WorkflowClock;
  /** Bytes that may wait for the client; of statistics no more than half. */
  readonly bufferBytes: number;
}

/** Tells one connection what becomes of the instances that it observes. */
export class InstanceFollower extends EventEmitter implements HubMethods, LiveSubscriber {
  private readonly logger = new WorkflowLogger('WorkflowApi');
  private readonly ids = new Set<string>();
  readonly wanted: LiveFilter = { topics: new Set(['instances']), workflowInstanceIds: this.ids };
  destroyed = false;
  private isFollowing = false;
  /** Instances whose statistics are to be sent, and of each node what was sent last. */
  private readonly changed = new Set<string>();
  private readonly sent = new Map<string, Map<string, string>>();
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
    // Of one that is deleted clients of the reference hear nothing: they would ask for it.
    if (event.name === 'instance-changed' && isWanted(this.wanted, event)) this.update(event.workflowInstanceId!);
  }

  reset(): void {
    for (const id of this.ids) this.update(id);
  }

  // oxlint-disable-next-line no-empty-function -- the connection pings, and has no position
  note(): void {}

  /** The connection looks after its credentials itself. */
  hasEnded(): boolean {
    return false;
  }

  /** Called by the feed when the server ends, and by the connection when it has ended. */
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
      throw new HubMessageError(`A connection observes ${MOST_INSTANCES} instances at most. Open another one.`);
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
    void this.tellStatistics();
  }

  /** One walk after the other, with a pause behind each, in which changes gather. */
  private async tellStatistics(): Promise<void> {
    if (this.isReading || this.cancelPause || this.destroyed) return;
    this.isReading = true;
    const { clock } = this.services;
    const beganAt = clock.now();
    for (const id of [...this.changed]) {
      this.changed.delete(id);
      try {
        if (!(await this.sendStatistics(id))) this.changed.add(id);
      } catch (error) {
        this.logger.warn(`Statistics of instance ${id} could not be read for the hub: ${toErrorLike(error).message}`);
      }
    }
    this.isReading = false;
    if (this.destroyed) return;
    const pauseMs = Math.max(PAUSE_MS, (clock.now() - beganAt) * PAUSE_FACTOR);
    const goOn = () => {
      this.cancelPause = undefined;
      return this.changed.size > 0 ? this.tellStatistics() : undefined;
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- a clock of tests waits for it, others need not
    this.cancelPause = clock.setTimer(goOn, pauseMs, { isPoll: true });
  }

  /** Those that are not as they were sent. @returns false: the client has much to read yet, the rest is for later */
  private async sendStatistics(id: string): Promise<boolean> {
    const sent = this.sent.get(id) ?? new Map<string, string>();
    this.sent.set(id, sent);
    const most = this.services.bufferBytes / 2;
    const news = (await this.services.statistics.of(id))
      .map((node) => ({ nodeId: node.activityNodeId, text: JSON.stringify(node) }))
      // One that takes so much is for the client to ask for.
      .filter(({ nodeId, text }) => sent.get(nodeId) !== text && text.length < most / 4);
    for (const part of partsOf(news, Math.min(MESSAGE_BYTES, most / 2))) {
      const text = invocationOfText(
        'ActivityExecutionLogUpdatedAsync',
        `{"stats":[${part.map((one) => one.text).join()}]}`,
      );
      if (this.connection.waiting + Buffer.byteLength(text) > most) return false;
      this.connection.send(text);
      for (const one of part) sent.set(one.nodeId, one.text);
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
