import type { HostAnswer } from '../support/host-call.js';

const TURNS = 100;

/** A reference host, with the clock that tests may move. */
interface Host {
  call(method: string, route: string, body?: unknown): Promise<HostAnswer>;
}

/** The sample of travel bookings, as its callers and operators see it. */
export class Travel {
  constructor(private readonly host: Host) {}

  async book(destination: string): Promise<readonly [status: number, id: string]> {
    const answer = await this.host.call('POST', '/workflows/travel-bookings', { traveller: 'Mia', destination });
    return [answer.status, (answer.json as { bookingId: string }).bookingId];
  }

  async stateOf(id: string) {
    const { json } = await this.host.call('GET', `/elsa/api/workflow-instances/${id}`);
    const { subStatus, output, bookmarks, incidents } = json.workflowState as Record<string, unknown>;
    return { subStatus, output, waits: (bookmarks as unknown[]).length, incidents };
  }

  /** Lets time pass until it has that status, ten seconds at most. */
  async until(id: string, subStatus: string): Promise<void> {
    for (let turn = 0; turn < TURNS && (await this.stateOf(id)).subStatus !== subStatus; turn++)
      await this.host.call('POST', '/test/clock', { milliseconds: 100 });
  }

  /** Activities of the sample that completed, in that order, each as often as it did. */
  async done(id: string): Promise<string[]> {
    const { json } = await this.host.call('GET', `/elsa/api/activity-executions/list?workflowInstanceId=${id}`);
    return (json.items as { activityId: string; activityType: string; status: string; completedAt: string }[])
      .filter((r) => r.status === 'Completed' && r.activityType.startsWith('App.'))
      .sort((a, b) => (a.completedAt < b.completedAt ? -1 : 1))
      .map((r) => r.activityId);
  }
}
