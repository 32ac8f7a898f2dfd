import { Injectable } from '@nestjs/common';
import { toPlainJson } from '@waymark/core/adapter';
import { ActivityExecutions } from '../activity-executions/activity-executions.js';
import type { NodeStatistic } from '../activity-executions/node-statistics.js';
import { ShownValues } from '../answers/hides-secrets.js';

/** Computes statistics for all connections, from one journal at a time: many at once would keep the store and the event loop busy. */
@Injectable()
export class NodeStatisticsReader {
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly executions: ActivityExecutions,
    private readonly shown: ShownValues,
  ) {}

  of(workflowInstanceId: string): Promise<NodeStatistic[]> {
    const read = this.work.then(async () => {
      const all = await this.executions.statistics(workflowInstanceId, undefined);
      return all.map((one) => this.shown.of(toPlainJson(one)) as NodeStatistic);
    });
    this.work = read.catch(() => undefined);
    return read;
  }
}
