import type { LiveSubscriber } from './live-subscriber.js';

/**
 * Who receives the events of which instance. Those who asked for instances by id are found by these: with a thousand of them, asking each
 * of each change would cost a million questions for a thousand changes.
 */
export class Recipients {
  private readonly ofAll: LiveSubscriber[] = [];
  private readonly byInstance = new Map<string, LiveSubscriber[]>();

  constructor(subscribers: Iterable<LiveSubscriber>) {
    for (const subscriber of subscribers) {
      const { topics, workflowInstanceIds } = subscriber.wanted;
      if (!topics.has('instances')) continue;
      if (!workflowInstanceIds) this.ofAll.push(subscriber);
      for (const id of workflowInstanceIds ?? []) this.add(id, subscriber);
    }
  }

  /** Instances that were asked for by id. */
  get instanceIds(): Iterable<string> {
    return this.byInstance.keys();
  }

  /** Those who are still there. */
  *of(workflowInstanceId: string): Generator<LiveSubscriber, void> {
    for (const subscriber of this.ofAll) if (!subscriber.destroyed) yield subscriber;
    for (const subscriber of this.byInstance.get(workflowInstanceId) ?? []) if (!subscriber.destroyed) yield subscriber;
  }

  private add(id: string, subscriber: LiveSubscriber): void {
    const known = this.byInstance.get(id);
    if (known) known.push(subscriber);
    else this.byInstance.set(id, [subscriber]);
  }
}
