import { Inject, Injectable } from '@nestjs/common';
import { type OutgoingMessage, toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { type LineOf, Outbox } from '../bursts/outbox.js';
import { MAX_SHARED } from '../bursts/resume-request.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { UnreadableWork } from '../outages/unreadable-work.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { MissingCode } from '../definitions/missing-code.js';
import { CodeTurns } from './code-turns.js';
import { Breather } from '../event-loop/breather.js';
import { DeliveryPool } from './delivery-pool.js';
import { codeTurnOf, DispatchLimits } from './dispatch-limits.js';
import { FetchPace } from './fetch-pace.js';
import { FetchPlan, type PlannedFetch } from './fetch-plan.js';
import { HeldPlaces } from './held-places.js';
import { LongWorkPool } from './long-work-pool.js';
import { MessageAttempts } from './message-attempts.js';
import { MessageClaims } from './message-claims.js';
import { HeadStart } from './head-start.js';
import { MessageLeases } from './message-leases.js';
import { NewMessages } from './new-messages.js';
import type { OutboxHandler } from './outbox-handler.js';
import { SealedMessages } from './sealed-messages.js';
import { hasNoTurn, isWaiting, pickMessages } from './picked-messages.js';
import { PoisonMessageGuard } from './poison-message-guard.js';
import { UnknownKinds } from './unknown-kinds.js';
import { throughFaults } from './through-faults.js';
import { WaitingMessages } from './waiting-messages.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

interface Fetch {
  /** Whether to look where messages of other nodes wait for a place of their definition. @default false */
  readonly looks?: boolean;
  /** Whether messages may wait that need no such place. @default true */
  readonly othersWait?: boolean;
}

/** A held message that was stored more slowly is claimed before its work begins: the first renewal could come after its head start. */
const PROMPT_MS = 1000;
/** Messages waiting in this process for a free place; what is beyond is left in the store (back-pressure). */
const WAITING_PER_PLACE = 64;
/** Of each pool, messages that wait for the turn of their instance without a place: as many as one burst takes along. */
const MOST_ASIDE = MAX_SHARED;
const NO_LONG_CLAIM = { asked: { limit: 0, fromTurn: 1 }, end: (): void => {} };

/**
 * Serves the transactional outbox: at least once, with the effect of each message exactly once, because the commit that a
 * message causes deletes it or fails.
 */
@Injectable()
export class OutboxProcessor implements Outbox {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');
  private readonly handlers = new Map<string, OutboxHandler>();
  private readonly attempts: MessageAttempts;
  /** Being served or waiting for it here: a slow message must not be taken a second time. */
  private readonly leases: MessageLeases;
  private readonly messages: SealedMessages;
  private readonly claims: MessageClaims;
  private readonly pool: DeliveryPool;
  private readonly pace: FetchPace;
  private readonly next: FetchPlan;
  private readonly longPool: LongWorkPool;
  private readonly poisonGuard: PoisonMessageGuard;
  private readonly waiting: WaitingMessages;
  private readonly codeTurns: CodeTurns;
  private readonly headStart: HeadStart;
  private readonly unknownKinds: UnknownKinds;
  /** Turns of messages that are being served here, and found no place. */
  private readonly refused = new Map<string, number>();
  private readonly places: HeldPlaces;
  private readonly fresh: NewMessages;
  /** Looks at the store under way: what they claim is as good as being served. */
  private fetching = 0;
  private readonly breather = new Breather();
  private idle: (() => void)[] = [];

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    engine: WorkflowEngine,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    private readonly limits: DispatchLimits,
    unreadable: UnreadableWork,
    missingCode: MissingCode,
    @Inject(RUNTIME_OPTIONS) options: ResolvedRuntimeOptions,
  ) {
    const { deliveryConcurrency, backgroundConcurrency, nodeName, encryption } = options;
    this.messages = new SealedMessages(encryption);
    const serve = (message: OutboxMessage) => this.serve(message);
    const onServed = () => this.onServed();
    const onPlace = () => this.next.fill();
    const onShortServed = () => {
      this.pace.note();
      this.onServed();
    };
    const monotonic = () => clock.monotonic();
    this.places = new HeldPlaces(monotonic, (id) => this.endSuspicion(id));
    this.poisonGuard = new PoisonMessageGuard();
    this.leases = new MessageLeases(persistence, clock, outages, nodeName, (id) => this.places.lend(id));
    this.attempts = new MessageAttempts(
      this.handlers,
      persistence,
      clock,
      this.leases,
      options.maxDeliveryAttempts,
      unreadable,
      (message, ms) => this.postpone(message, ms),
      (message, error) => this.setAside(message, error),
    );
    this.headStart = new HeadStart(clock);
    this.unknownKinds = new UnknownKinds(clock);
    this.claims = new MessageClaims(persistence, clock, this.leases, nodeName, this.headStart);
    const capacity = deliveryConcurrency * WAITING_PER_PLACE;
    this.waiting = new WaitingMessages(persistence, clock, limits, nodeName);
    this.codeTurns = new CodeTurns(persistence, clock, missingCode, this.waiting);
    this.pool = new DeliveryPool(deliveryConcurrency, capacity, serve, onShortServed, MOST_ASIDE, onPlace);
    this.pace = new FetchPace(clock, deliveryConcurrency);
    this.longPool = new LongWorkPool(backgroundConcurrency, clock, serve, onServed, MOST_ASIDE, onPlace);
    const { handlers, messages, pool, longPool, headStart, waiting, pace } = this;
    const fetch = ({ short, fillsLong, othersWait }: PlannedFetch) => this.fetchSoon(short, fillsLong, { othersWait });
    this.next = new FetchPlan({ pool, longPool, waiting, pace }, fetch, () => this.noteIdle());
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
    await Promise.all(this.pool.giveUpWaiting().map((message) => this.leave(message)));
    this.next.hasMore = true;
    return true;
  }

  deliverSoon(messages: readonly OutboxMessage[]): void {
    if (messages.length === 0) return;
    const now = this.clock.now();
    for (const message of messages) {
      if (!this.headStart.isForNow(message, now)) continue;
      if (isWaiting(message)) this.waiting.note(message.turn);
      else if (this.isLong(message.kind) ? this.longPool.redeems(message.id) : this.hasRoomFor(message))
        this.hold(message);
    }
    this.next.fill();
  }

  /** Returns false if it is claimed like those of other nodes, as soon as a place is free. */
  private hasRoomFor({ availableAt, createdAt }: OutboxMessage): boolean {
    // What had no head start may be another node's by now.
    if (availableAt > createdAt && this.pool.room > 0) return true;
    this.next.hasMore = true;
    return false;
  }

  /** Takes over what other nodes or earlier runs left behind. Returns how many were claimed. */
  async poll(): Promise<number> {
    return this.fetch(this.pool.free, true, { looks: true });
  }

  /** For a handler whose messages share limited places. Returns false if there is none now; the handler then calls `letWait`. */
  admits(message: OutboxMessage, turn: number): boolean {
    return this.waiting.admits(message, turn);
  }

  /** Whether a new message of that turn has to wait: see `OutboxHandler.waitsAt`. */
  mustWaitAt(turn: number): boolean {
    return this.waiting.mustWaitAt(turn);
  }

  /** For a handler: when it has returned, its message is given back, to wait at that turn. */
  letWait({ id }: OutboxMessage, turn: number): void {
    this.refused.set(id, turn);
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
    if (woken > 0) this.fetchSoon(this.pool.free, true);
  }

  /** For an instance that was repaired: what was put off until then is available to all nodes. */
  async endPauses(workflowInstanceId: string): Promise<void> {
    const kinds = [...this.handlers.values()].filter(({ waitsForRepair }) => waitsForRepair).map(({ kind }) => kind);
    const now = new Date(this.clock.now());
    const ended = await this.persistence.outbox.endPauses?.(workflowInstanceId, kinds, now);
    if (ended) this.fetchSoon(this.pool.free, true);
  }

  /** Of a message that is being served: it goes back to wait for another node, uncounted, when its handler has returned. */
  private async setAside(message: OutboxMessage, error: WorkflowCodeMissingError): Promise<void> {
    this.letWait(message, this.codeTurns.refuse(error));
    await this.codeTurns.note(error, message.createdAt);
  }

  /**
   * @param short places of the short pool to fill
   * @param fillsLong whether to fill those of the long one, too
   */
  private async fetch(short: number, fillsLong: boolean, { looks, ...more }: Fetch = {}): Promise<number> {
    if (this.gate.closedBecause || this.outages.settlesInMs > 0) return 0;
    // What another look is just claiming would be taken for lost.
    if (this.claims.looksForLost && this.fetching > 0) return 0;
    if (short === 0 && !(fillsLong && this.longPool.free > 0)) return 0;
    this.fetching++;
    const end = short > 0 ? this.next.begin() : undefined;
    try {
      // Its own messages would look like those of a node that died.
      await this.leases.renewOverdue();
      if (looks) await this.codeTurns.watch(await this.waiting.look());
      return await this.claimAndServe(short, fillsLong, more);
    } catch (error) {
      this.outages.report(error);
      throw error;
    } finally {
      this.fetching--;
      end?.();
      this.onServed();
    }
  }

  private async claimAndServe(short: number, fillsLong: boolean, { othersWait = true }: Fetch): Promise<number> {
    const hasLongPlace = this.longPool.free > 0;
    // Another look was faster.
    if (short === 0 && !hasLongPlace) return 0;
    const exceptKinds = [...(hasLongPlace ? [] : this.longKinds()), ...this.unknownKinds.all()];
    const { asked, end } = fillsLong && hasLongPlace ? this.longPool.beginClaim() : NO_LONG_CLAIM;
    const waiting = this.waiting.beginClaim(short, othersWait);
    const others = waiting.asked.reduce((places, { limit }) => places - limit, short);
    let claimed: OutboxMessage[] | undefined;
    try {
      claimed = await this.claims.claim({ short: others, long: asked, waiting: waiting.asked, exceptKinds });
      // Before they are served, for which they need their places.
      waiting.end(claimed);
      const isLong = ({ kind }: OutboxMessage): boolean => this.isLong(kind);
      const { taken, left } = pickMessages(claimed, isLong, asked.limit + this.longPool.free, this.poisonGuard);
      for (const message of left) if (isWaiting(message)) this.waiting.forget(message.turn);
      // Of those given back, each waits for its turn. Whether there are others is not known where none were asked for.
      if (short > 0 && claimed.filter(hasNoTurn).length === others && left.length === 0) this.next.hasMore = true;
      const fresh = taken.filter((message) => this.keep(message));
      // Before the others are served, which may end this process.
      await Promise.all(left.map((message) => this.giveBack(message)));
      for (const message of fresh) this.poolOf(message).add(message);
      return taken.length;
    } finally {
      end(claimed);
      if (!claimed) waiting.end();
    }
  }

  /** To be served later, or by another node: it was not tried. */
  private async giveBack(message: OutboxMessage): Promise<void> {
    if (this.keep(message)) await this.leave(message);
  }

  private async leave(message: OutboxMessage): Promise<void> {
    try {
      await this.whileHeld(message, () => this.postpone(message, 0));
    } catch (error) {
      this.leftBehind(message, error);
    } finally {
      this.letGo(message);
      this.endSuspicion(message.id);
    }
  }

  /** What has been served for long did not end its process, and may never end: those that wait for it, one at a time, continue. */
  private endSuspicion(id: string): void {
    if (this.poisonGuard.served(id)) this.fetchSoon(this.pool.free, false);
  }

  /** It is not this node's any more, or not held here any more. */
  private letGo({ id }: OutboxMessage): void {
    this.leases.delete(id);
    this.limits.giveBack(id);
  }

  /** For a shutdown that no longer waits for the messages that are being served. */
  giveUp(): void {
    this.leases.end();
  }

  /** For a message whose effect is stored while its handler still runs: it gives up its place, and no shutdown waits for it. */
  callOff(message: OutboxMessage): void {
    this.leases.abort(message.id);
    this.poolOf(message).callOff(message.id);
    this.noteIdle();
  }

  /** Resolves when nothing is being served or fetched. */
  settled(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private get isIdle(): boolean {
    return this.fetching === 0 && this.next.isIdle && this.pool.isIdle && this.longPool.isIdle;
  }

  private onServed(): void {
    this.next.fill();
    this.noteIdle();
  }

  private noteIdle(): void {
    if (this.isIdle) for (const resolve of this.idle.splice(0)) resolve();
  }

  private longKinds(): string[] {
    return [...this.handlers.values()].filter(({ isLong }) => isLong).map(({ kind }) => kind);
  }

  private isLong(kind: string): boolean {
    return this.handlers.get(kind)?.isLong === true;
  }

  private poolOf({ kind }: OutboxMessage): DeliveryPool {
    return this.isLong(kind) ? this.longPool : this.pool;
  }

  private hold(message: OutboxMessage): void {
    if (this.keep(message)) this.poolOf(message).add(message);
  }

  /** False when it is held already. */
  private keep(message: OutboxMessage): boolean {
    if (this.leases.has(message.id)) return false;
    this.leases.add(message, this.handlers.get(message.kind));
    return true;
  }

  private async serve(message: OutboxMessage): Promise<void> {
    // It has its place and its claim by now: only the work waits.
    const pause = this.breather.taken();
    if (pause) await pause;
    this.places.take(message.id, this.poolOf(message));
    if (!this.handlers.has(message.kind)) this.unknownKinds.note(message.kind);
    try {
      await this.whileHeld(message, () => this.attempts.handle(message)).catch((error: unknown) => {
        if (isStoreOutage(error)) throw error;
        return this.whileHeld(message, () => this.attempts.failed(message, error));
      });
    } catch (error) {
      this.leftBehind(message, error);
    } finally {
      this.places.leave(message.id);
      this.letGo(message);
      this.endSuspicion(message.id);
    }
    await this.giveBackRefused(message);
  }

  /** Not before it is let go: a claim that comes right behind it may bring it back. */
  private async giveBackRefused(message: OutboxMessage): Promise<void> {
    const turn = this.refused.get(message.id);
    if (turn === undefined) return;
    this.refused.delete(message.id);
    // Behind it, a renewal would claim it for a lease in which nothing serves it, and whose end counts as an attempt.
    await this.leases.answered();
    try {
      await this.outages.through(() => this.waiting.letWait(message, turn));
    } catch (error) {
      this.leftBehind(message, error);
    }
  }

  /** Its claim runs out, and it is served again. */
  private leftBehind({ id }: OutboxMessage, error: unknown): void {
    if (!this.outages.report(error))
      this.logger.warn(`Message ${id} could not be released: ${toErrorLike(error).message}`);
  }

  private whileHeld(message: OutboxMessage, task: () => Promise<void>): Promise<void> {
    return throughFaults(this.outages, this.leases, message, task, (ms) => this.postpone(message, ms));
  }

  private fetchSoon(short: number, fillsLong: boolean, more?: Fetch): void {
    this.fetch(short, fillsLong, more).catch((error: unknown) => {
      // The next round of the maintenance does.
      if (!isStoreOutage(error)) this.logger.warn(`Failed to read the outbox: ${toErrorLike(error).message}`);
    });
  }

  /** Gives a message back that its handler cannot serve now, uncounted: to be available again after that time, anywhere. */
  postpone(message: OutboxMessage, ms: number): Promise<void> {
    // Others of its kind would fare no better: they wait for the next round.
    this.next.hasMore = false;
    this.longPool.hasMore = false;
    return this.putOff(message, ms);
  }

  /** The same for a message whose instance cannot be served now, which says nothing about others. */
  putOff({ id }: OutboxMessage, ms: number): Promise<void> {
    return this.leases.whileLeaving(id, () =>
      this.persistence.outbox.postpone(id, new Date(this.clock.now() + ms), this.leases.owner),
    );
  }
}
