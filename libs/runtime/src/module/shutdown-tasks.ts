import { Injectable } from '@nestjs/common';

/**
 * What has to end before the store closes when a node shuts down, besides bursts. A Nest hook of its own would not do: the
 * hooks of two modules are called one after the other, in an order that neither of them chooses, and what still asks the
 * store after it closed leaves its claims behind.
 */
@Injectable()
export class ShutdownTasks {
  private readonly tasks: (() => Promise<void>)[] = [];

  /** Adds a task. @param task is called once the runtime refuses new work; bounds its own time */
  add(task: () => Promise<void>): void {
    this.tasks.push(task);
  }

  /** Runs all of them at the same time. @throws the first error, after all have ended */
  async run(): Promise<void> {
    const results = await Promise.allSettled(this.tasks.splice(0).map((task) => task()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
