import { readFileSync } from 'node:fs';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { LoadedInstance } from '@waymark/runtime/adapter';
import type { Promises } from './clients.js';
import type { LedgerLine } from './torture-node.js';
import { completions, TICK_MS } from './workflows.js';

/** Sentences about broken promises; empty when all were kept. */
export type Findings = string[];

interface Instance extends LoadedInstance {
  readonly completed: readonly string[];
  /** How often its wait was cancelled. */
  readonly cancelled: number;
}

/** Looks at the database and the ledger, from outside of all nodes, when everything has come to rest. */
export class Audit {
  readonly findings: Findings = [];
  private readonly byDefinition = new Map<string, Instance[]>();
  private readonly byId = new Map<string, Instance>();
  /** Instances of all plans. */
  private planned = 0;
  private readonly ledger: readonly LedgerLine[];

  constructor(
    private readonly store: WorkflowPersistence,
    private readonly promises: Promises,
    ledgerFile: string,
  ) {
    this.ledger = readFileSync(ledgerFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LedgerLine);
  }

  /** Numbers that show how much was proved. */
  get figures(): Record<string, number> {
    const counts = [...this.byDefinition].map(([name, all]) => [name, all.length] as const);
    const { length: plans } = this.promises.plans;
    return { ...Object.fromEntries(counts), effects: this.ledger.length, plans, planned: this.planned };
  }

  async run(): Promise<Findings> {
    await this.load();
    this.everyInstanceCameThrough();
    this.everyOrderOnce();
    await this.oneApprovalEach();
    this.everyTickOnce();
    this.neverTwoSingles();
    this.cancelledWithChildren();
    await this.everyPlanOnce();
    this.effectsOfCommittedWork();
    await this.nothingLeft();
    return this.findings;
  }

  private async load(): Promise<void> {
    for (const id of await this.store.instances.findIds({})) {
      const loaded = await this.store.instances.load(id);
      if (!loaded) continue;
      const log = await this.store.journal.readLog(id);
      const completed = log.filter((e) => e.eventName === 'Completed').map((e) => e.activityId);
      const cancelled = log.filter((e) => e.eventName === 'Canceled' && e.activityId === 'Forever').length;
      const instance = { ...loaded, completed, cancelled };
      this.byId.set(id, instance);
      this.of(loaded.definitionId).push(instance);
    }
  }

  /** W1, W8: each is finished, and has done each of its activities once, in order. */
  private everyInstanceCameThrough(): void {
    for (const [definitionId, expected] of Object.entries(completions)) {
      for (const { id, subStatus, completed, incidentCount } of this.of(definitionId)) {
        const done = completed.join(' ');
        if (subStatus !== 'Finished' || incidentCount > 0)
          this.find('W8', `${definitionId} ${id} is ${subStatus} with ${incidentCount} incidents after: ${done}`);
        else if (done !== expected.join(' ')) this.find('W1', `${definitionId} ${id} completed: ${done}`);
      }
    }
  }

  /** Request keys, idempotent events and children: one order each, with one of each child. */
  private everyOrderOnce(): void {
    const orders = this.of('order');
    const counts = new Map<string, number>();
    for (const { correlationId = '' } of orders) counts.set(correlationId, (counts.get(correlationId) ?? 0) + 1);
    for (const key of this.promises.orders)
      if (counts.get(key) !== 1)
        this.find('W8', `order ${key} was acknowledged and is there ${counts.get(key) ?? 0} times`);
    if (orders.length !== counts.size) this.find('W2', `${orders.length} orders have ${counts.size} keys`);
    for (const child of ['parcel', 'invoice']) {
      const parents = this.of(child).map((i) => i.parentWorkflowInstanceId ?? '');
      if (new Set(parents).size !== parents.length) this.find('W2', `an order has two children ${child}`);
      for (const parent of parents)
        if (!this.byId.has(parent)) this.find('W8', `a ${child} has lost its parent ${parent}`);
      if (parents.length !== orders.length)
        this.find('W8', `${orders.length} orders have ${parents.length} children ${child}`);
    }
  }

  /** W2: the client that learned that its approval counts is the one whose approval is in the journal. */
  private async oneApprovalEach(): Promise<void> {
    for (const { id, correlationId = '' } of this.of('order')) {
      const told = this.promises.approvals.get(correlationId) ?? [];
      if (told.length > 1) this.find('W2', `order ${id}: ${told.join(' and ')} were both told that they approved it`);
      const record = (await this.store.journal.readRecords(id)).find((r) => r.activityId === 'Approved');
      const by = (record?.outputs?.Result as { by?: string } | undefined)?.by;
      if (told.length === 1 && by !== told[0])
        this.find('W2', `order ${id} was approved by ${by}, but ${told[0]} was answered so`);
    }
  }

  /** W4: no occurrence twice, and none left out, from the first to the last. */
  private everyTickOnce(): void {
    const scheduled = new Map(this.ledger.map(({ instance, scheduledAt }) => [instance, scheduledAt]));
    const times = this.of('tick').map(({ id }) => Date.parse(scheduled.get(id) ?? ''));
    if (times.some(Number.isNaN)) return this.find('W9', 'a tick does not know its occurrence');
    times.sort((a, b) => a - b);
    for (const [i, time] of times.slice(1).entries()) {
      const step = time - times[i]!;
      if (step !== TICK_MS) this.find('W4', `ticks at ${new Date(times[i]!).toISOString()} and ${step} ms later`);
    }
  }

  /**
   * A singleton's instances follow one another: by the lines of the ledger, as clocks differ a little. From the first effect
   * that follows a commit, since a start that is refused, or not stored for some time, has done its first effects already.
   */
  private neverTwoSingles(): void {
    const all = this.of('single');
    const lineOf = (name: string): Map<string, number> =>
      new Map(
        this.ledger
          .flatMap((entry, line): [string, number][] => (entry.name === name ? [[entry.instance, line]] : []))
          .toReversed(),
      );
    const [entered, done] = [lineOf('entered'), lineOf('done')];
    const inOrder = all.toSorted((a, b) => (entered.get(a.id) ?? 0) - (entered.get(b.id) ?? 0));
    for (const [i, next] of inOrder.slice(1).entries()) {
      const before = inOrder[i]!;
      if ((done.get(before.id) ?? Infinity) > (entered.get(next.id) ?? -1))
        this.find('W2', `singletons ${before.id} and ${next.id} ran at the same time`);
    }
    if (all.length < this.promises.singles) this.find('W8', `${this.promises.singles} singletons were acknowledged`);
  }

  private cancelledWithChildren(): void {
    const cancelled = new Set(this.promises.cancelled);
    for (const parent of this.of('patience')) {
      if (cancelled.delete(parent.correlationId ?? '') && parent.subStatus !== 'Cancelled')
        this.find('W8', `patience ${parent.id} is ${parent.subStatus}, and its cancellation was acknowledged`);
    }
    for (const key of cancelled) this.find('W8', `patience ${key} was cancelled and is gone`);
    for (const child of this.of('waiting'))
      if (child.subStatus !== 'Cancelled') this.find('W8', `waiting ${child.id} has outlived its parent`);
  }

  /** W8: each plan has ended, and has done each of its instances once. */
  private async everyPlanOnce(): Promise<void> {
    for (const { kind, key, count } of this.promises.plans) {
      const id = `${kind}-${key}`;
      this.planned += count;
      const herd = this.of('herd').filter(({ correlationId }) => correlationId === key);
      if (kind === 'alter') await this.everyJobOnce(id, count, herd);
      else await this.everyOneEnded(id, count, kind === 'delete' ? 0 : count, herd);
      // The last activity of an altered one was done, which ended it, and its wait with it.
      const isAltered = this.promises.plans.some((other) => other.kind === 'alter' && other.key === key);
      const end = isAltered ? 'Finished' : 'Cancelled';
      for (const each of herd)
        if (each.subStatus !== end || each.cancelled !== 1)
          this.find('W8', `herd ${each.id} of plan ${id} is ${each.subStatus}, cancelled ${each.cancelled} times`);
    }
  }

  private async everyOneEnded(id: string, count: number, left: number, herd: readonly Instance[]): Promise<void> {
    const plan = await this.store.bulkPlans.find(id);
    const { status, selected, visited, failed } = plan ?? {};
    if (status !== 'Completed' || selected !== count || visited !== count || failed !== 0)
      this.find('W8', `plan ${id} for ${count} is ${JSON.stringify({ status, selected, visited, failed })}`);
    if (herd.length !== left) this.find('W8', `plan ${id} has left ${herd.length} of ${count} instances, not ${left}`);
  }

  private async everyJobOnce(id: string, count: number, herd: readonly Instance[]): Promise<void> {
    const status = (await this.store.alterations.findPlan(id))?.status;
    if (status !== 'Completed') this.find('W8', `plan ${id} is ${status}`);
    // What another plan has deleted since cannot say.
    if (herd.length > 0 && herd.length !== count)
      this.find('W8', `plan ${id} has ${herd.length} of ${count} instances`);
    for (const { id: instance, completed } of herd) {
      const times = completed.filter((activityId) => activityId === 'altered').length;
      if (times !== 1) this.find(times > 1 ? 'W2' : 'W8', `herd ${instance} was altered ${times} times by plan ${id}`);
    }
  }

  /** W9: what is committed has had its effect, at least once, always under the same key. */
  private effectsOfCommittedWork(): void {
    const keys = new Map<string, Set<string>>();
    for (const { instance, name, key } of this.ledger) {
      const effect = `${instance}/${name}`;
      keys.set(effect, (keys.get(effect) ?? new Set()).add(key));
    }
    for (const { id, completed } of this.byId.values()) {
      for (const name of completed.filter((activityId) => /^[a-z]/.test(activityId))) {
        const found = keys.get(`${id}/${name}`)?.size ?? 0;
        if (found !== 1) this.find('W9', `effect ${name} of ${id} has ${found} idempotency keys in the ledger`);
      }
    }
  }

  /** No message, no stimulus and no bookmark is left of what has ended. */
  private async nothingLeft(): Promise<void> {
    const { waiting, deadLetters } = await this.store.outbox.count();
    if (waiting + deadLetters > 0)
      this.find('W5', `the outbox holds ${waiting} messages and ${deadLetters} dead letters`);
    const { totalCount, items } = await this.store.queue.findDeadLetters({});
    if (totalCount > 0) this.find('W5', `${totalCount} stimuli are dead, e.g. ${JSON.stringify(items[0])}`);
    const due = await this.store.bookmarks.findDue(new Date(8.64e15), 10);
    if (due.length > 0) this.find('W4', `timers are left: ${due.map((b) => b.id).join(', ')}`);
  }

  private of(definitionId: string): Instance[] {
    const known = this.byDefinition.get(definitionId) ?? [];
    this.byDefinition.set(definitionId, known);
    return known;
  }

  private find(invariant: string, sentence: string): void {
    this.findings.push(`${invariant}: ${sentence}`);
  }
}
