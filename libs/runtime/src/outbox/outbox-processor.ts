import { Inject, Injectable } from '@nestjs/common';
import type { OutgoingMessage } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { type LineOf, Outbox } from '../bursts/outbox.js';
import { MAX_SHARED } from '../bursts/resume-request.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { UnreadableWork } from '../outages/unreadable-work.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { MissingCode } from '../definitions/missing-code.js';
import { CodeTurns } from './code-turns.js';
import { DeliveryPool } from './delivery-pool.js';
import { codeTurnOf, DispatchLimits } from './dispatch-limits.js';
import { FetchPace } from './fetch-pace.js';
import { HeldPlaces } from './held-places.js';
import { LongWorkPool } from './long-work-pool.js';
import { MessageClaims } from './message-claims.js';
import { HeadStart } from './head-start.js';
import { MessageLeases } from './message-leases.js';
import { MessageServing } from './message-serving.js';
import { NewMessages } from './new-messages.js';
import type { OutboxHandler } from './outbox-handler.js';
import { SealedMessages } from './sealed-messages.js';
import { OutboxFetches } from './outbox-fetches.js';
import { isWaiting } from './picked-messages.js';
import { PoisonMessageGuard } from './poison-message-guard.js';
import { UnknownKinds } from './unknown-kinds.js';
import { WaitingMessages } from './waiting-messages.js';

/** A held message that was stored more slowly is claimed before its work begins: the first renewal could come after its head start. */
const PROMPT_MS = 1000;
/** Messages waiting in this process for a free place; what is beyond is left in the store (back-pressure). */
const WAITING_PER_PLACE = 64;
/** Of each pool, messages that wait for the turn of their instance without a place: as many as one burst takes along. */
const MOST_ASIDE = MAX_SHARED;

/**
 * Serves the transactional outbox: at least once, with the effect of each message exactly once, because the commit that a
 * message causes deletes it or fails.
 */
@Injectable()
export class OutboxProcessor implements Outbox {
  private readonly handlers = new Map<string, OutboxHandler>();
  /** Being served or waiting for it here: a slow message must not be taken a second time. */
  private readonly leases: MessageLeases;
  private readonly messages: SealedMessages;
  private readonly pool: DeliveryPool;
  private readonly longPool: LongWorkPool;
  private readonly waiting: WaitingMessages;
  private readonly codeTurns: CodeTurns;
  private readonly headStart: HeadStart;
  private readonly unknownKinds: UnknownKinds;
  private readonly places: HeldPlaces;
  private readonly fresh: NewMessages;
  private readonly fetches: OutboxFetches;
  private readonly serving: MessageServing;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    engine: WorkflowEngine,
    gate: RuntimeGate,
    private readonly outages: StoreOutages,
    limits: DispatchLimits,
    unreadable: UnreadableWork,
    missingCode: MissingCode,
    @Inject(RUNTIME_OPTIONS) options: ResolvedRuntimeOptions,
  ) {
    const { deliveryConcurrency, backgroundConcurrency, maxDeliveryAttempts, nodeName, encryption } = options;
    this.messages = new SealedMessages(encryption);
    const serve = (message: OutboxMessage) => this.serving.serve(message);
    const onServed = () => this.fetches.onServed();
    const onPlace = () => this.fetches.fill();
    const pace = new FetchPace(clock, deliveryConcurrency);
    const onShortServed = () => {
      pace.note();
      this.fetches.onServed();
    };
    const monotonic = () => clock.monotonic();
    this.places = new HeldPlaces(monotonic, (id) => this.serving.endSuspicion(id));
    this.leases = new MessageLeases(persistence, clock, outages, nodeName, (id) => this.places.lend(id));
    this.headStart = new HeadStart(clock);
    this.unknownKinds = new UnknownKinds(clock);
    const capacity = deliveryConcurrency * WAITING_PER_PLACE;
    this.waiting = new WaitingMessages(persistence, clock, limits, nodeName);
    this.codeTurns = new CodeTurns(persistence, clock, missingCode, this.waiting);
    this.pool = new DeliveryPool(deliveryConcurrency, capacity, serve, onShortServed, MOST_ASIDE, onPlace);
    this.longPool = new LongWorkPool(backgroundConcurrency, clock, serve, onServed, MOST_ASIDE, onPlace);
    const { handlers, messages, leases, places, pool, longPool, headStart, waiting, codeTurns, unknownKinds } = this;
    const claims = new MessageClaims(persistence, clock, leases, nodeName, headStart);
    const poisonGuard = new PoisonMessageGuard();
    const held = { outages, handlers, leases, pool, longPool, waiting, codeTurns, unknownKinds, poisonGuard };
    this.fetches = new OutboxFetches({ ...held, gate, claims, pace }, (taken, left) =>
      this.serving.takeOn(taken, left),
    );
    this.serving = new MessageServing(
      { ...held, persistence, clock, unreadable, limits, places, maxDeliveryAttempts },
      this.fetches,
    );
    this.fresh = new NewMessages({ clock, gate, engine, handlers, messages, pool, longPool, headStart, nodeName });
  }

  /** Takes a handler for its kind of messages, in place of an earlier one. */
  register(handler: OutboxHandler): void {
    for (const each of this.messages.handlersOf(handler)) {
      this.handlers.set(each.kind, each);
      this.unknownKinds.forget(each.kind);
    }
  }

  prepare(messages: readonly OutgoingMessage[], line?: LineOf): OutboxMessage[] {
    return this.fresh.prepare(messages, line);
  }

  prepareHeld(message: OutgoingMessage): OutboxMessage {
    return this.fresh.prepareHeld(message);
  }

  /** Kind and payload of the messages of a fan-out, as they are stored. @param of its id */
  sealed(of: string, message: OutgoingMessage): Pick<OutgoingMessage, 'kind' | 'payload'> {
    return this.messages.seal(of, message);
  }

  /** A message of the store as it was before it was sealed. */
  opened(message: OutboxMessage): OutboxMessage {
    return this.messages.open(message);
  }

  /** Stores messages outside of a burst and serves them. */
  async send(messages: readonly OutgoingMessage[]): Promise<OutboxMessage[]> {
    const rows = this.prepare(messages);
    await this.add(rows);
    return rows;
  }

  /** Stores prepared messages outside of a burst and serves them. Known ids are left alone. */
  async add(rows: readonly OutboxMessage[]): Promise<void> {
    const begun = this.clock.monotonic();
    await this.persistence.outbox.add(rows);
    this.headStart.note(this.clock.monotonic() - begun);
    this.deliverSoon(rows);
  }

  async holdWhile<T>(message: OutboxMessage, task: () => Promise<T>): Promise<T> {
    this.leases.add(message, undefined);
    let isUndone = false;
    try {
      return await task();
    } catch (error) {
      isUndone = this.outages.report(error);
      throw error;
    } finally {
      this.leases.delete(message.id);
      // The store failed, not the work: it is done here when the store is back. As a message that was left, it would count.
      if (isUndone) this.deliverSoon([message]);
    }
  }

  isOurs({ id, createdAt }: OutboxMessage): boolean | Promise<boolean> {
    const tookMs = this.clock.now() - createdAt.getTime();
    this.headStart.note(tookMs);
    return tookMs <= PROMPT_MS || this.leases.kept(id);
  }

  isServing(messageIds: readonly string[] | undefined): boolean {
    return messageIds?.[0] !== undefined && this.places.has(messageIds[0]);
  }

  whileAside<T>(messageIds: readonly string[] | undefined, waiting: Promise<T>): Promise<T> {
    return this.places.whileAside(messageIds?.[0], waiting);
  }

  /**
   * Lends the places of messages that have been served for long to others. When no more are lent, what waits here is given back for
   * other nodes.
   * @returns true when this node serves no messages any more
   */
  async lendPlaces(): Promise<boolean> {
    if (!this.places.lendLong(this.pool)) return false;
    await Promise.all(this.pool.giveUpWaiting().map((message) => this.serving.leave(message)));
    this.fetches.noteMore();
    return true;
  }

  deliverSoon(messages: readonly OutboxMessage[]): void {
    if (messages.length === 0) return;
    const now = this.clock.now();
    for (const message of messages) {
      if (!this.headStart.isForNow(message, now)) continue;
      if (isWaiting(message)) this.waiting.note(message.turn);
      else if (this.serving.isLong(message.kind) ? this.longPool.redeems(message.id) : this.hasRoomFor(message))
        this.serving.hold(message);
    }
    this.fetches.fill();
  }

  /** Returns false if it is claimed like those of other nodes, as soon as a place is free. */
  private hasRoomFor({ availableAt, createdAt }: OutboxMessage): boolean {
    // What had no head start may be another node's by now.
    if (availableAt > createdAt && this.pool.room > 0) return true;
    this.fetches.noteMore();
    return false;
  }

  /** Takes over what other nodes or earlier runs left behind. Returns how many were claimed. */
  poll(): Promise<number> {
    return this.fetches.poll();
  }

  /** For a handler whose messages share limited places. Returns false if there is none now; the handler then calls `letWait`. */
  admits(message: OutboxMessage, turn: number): boolean {
    return this.waiting.admits(message, turn);
  }

  /** Whether a new message of that turn has to wait: see `OutboxHandler.waitsAt`. */
  mustWaitAt(turn: number): boolean {
    return this.waiting.mustWaitAt(turn);
  }

  /**
   * Stores work for a node that has the code of its version, which this one lacks.
   * @param id of the message. @default a new one
   * @returns false when there is one of that id already, which is left alone
   */
  async handOver(message: OutgoingMessage, error: WorkflowCodeMissingError, id?: string): Promise<boolean> {
    const turn = this.codeTurns.refuse(error);
    const [row] = this.prepare([{ ...message, availableAt: new Date(this.clock.now()) }]);
    const sealed = { ...row!, ...this.messages.seal(id ?? row!.id, message), id: id ?? row!.id, turn };
    const isNew = await this.persistence.outbox.addOnce(sealed);
    if (isNew) this.deliverSoon([sealed]);
    await this.codeTurns.note(error, row!.createdAt);
    return isNew;
  }

  /** For an instance that has left a version: its messages that wait for nodes with that code are available to all nodes again. */
  async wake(workflowInstanceId: string, definitionVersionId: string): Promise<void> {
    const now = new Date(this.clock.now());
    const woken = await this.persistence.outbox.endWait(workflowInstanceId, codeTurnOf(definitionVersionId), now);
    if (woken > 0) this.fetches.woken();
  }

  /** For an instance that was repaired: what was put off until then is available to all nodes. */
  async endPauses(workflowInstanceId: string): Promise<void> {
    const kinds = [...this.handlers.values()].filter(({ waitsForRepair }) => waitsForRepair).map(({ kind }) => kind);
    const now = new Date(this.clock.now());
    const ended = await this.persistence.outbox.endPauses?.(workflowInstanceId, kinds, now);
    if (ended) this.fetches.woken();
  }

  /** For a shutdown that no longer waits for the messages that are being served. */
  giveUp(): Promise<void> {
    return this.leases.end();
  }

  /** For a message whose effect is stored while its handler still runs: it gives up its place, and no shutdown waits for it. */
  callOff(message: OutboxMessage): void {
    this.serving.callOff(message);
  }

  /** Resolves when nothing is being served or fetched. */
  settled(): Promise<void> {
    return this.fetches.settled();
  }

  /** For a handler: when it has returned, its message is given back, to wait at that turn. */
  letWait(message: OutboxMessage, turn: number): void {
    this.serving.letWait(message, turn);
  }

  /** Gives a message back that its handler cannot serve now, uncounted: to be available again after that time, anywhere. */
  postpone(message: OutboxMessage, ms: number): Promise<void> {
    return this.serving.postpone(message, ms);
  }

  /** The same for a message whose instance cannot be served now, which says nothing about others. */
  putOff(message: OutboxMessage, ms: number): Promise<void> {
    return this.serving.putOff(message, ms);
  }
}
