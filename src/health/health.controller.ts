import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { StoreOutages, WorkflowLogger } from '@waymark/runtime/adapter';
import {
  BackgroundRuns,
  type LargeState,
  LargeStates,
  MissingCode,
  RuntimeGate,
  StoreHealth,
  type StoreStatus,
  UnreadableWork,
} from '@waymark/runtime';

const FAULTS: Readonly<Record<Exclude<StoreStatus, 'writable'>, string>> = {
  unreachable: 'database unreachable',
  unwritable: 'database refuses writes',
  busy: 'database busy',
};

/** Of the instances that the log names. */
const MOST_NAMED = 3;

interface HealthAnswer {
  readonly status: string;
  /** How many versions have work that waits for a node with their code. The log names them. */
  missingCode?: number;
  /** What else an operator should know. */
  alarms?: string[];
}

/**
 * For load balancers and process managers, which have no credentials: ids of instances and definitions are for the log, since an id selects
 * among the instances that wait at an open endpoint.
 */
@Controller('health')
export class HealthController {
  private readonly logger = new WorkflowLogger('Health');
  /** Near the limit of their size, as of the last check. */
  private named: ReadonlySet<string> = new Set();

  constructor(
    private readonly store: StoreHealth,
    private readonly gate: RuntimeGate,
    private readonly unreadable: UnreadableWork,
    private readonly missingCode: MissingCode,
    private readonly outages: StoreOutages,
    private readonly background: BackgroundRuns,
    private readonly states: LargeStates,
  ) {}

  /** Healthy: the store can be written and the runtime takes work. What it has to leave to other nodes is reported, and not a fault of this one. */
  @Get()
  async check(): Promise<HealthAnswer> {
    const store = await this.store.check();
    if (store !== 'writable') throw new ServiceUnavailableException({ status: FAULTS[store] });
    if (this.gate.closedBecause) throw new ServiceUnavailableException({ status: this.gate.closedBecause });
    const answer: HealthAnswer = { status: 'healthy' };
    const missing = this.missingCode.alarms.length;
    if (missing > 0) answer.missingCode = missing;
    const alarms = this.alarms();
    if (alarms.length > 0) answer.alarms = alarms;
    return answer;
  }

  private alarms(): string[] {
    const alarms: string[] = [];
    if (this.unreadable.isAlarming) alarms.push('work of a newer version of Waymark is left to other nodes');
    // Another node would fare no better, so this one is ready; requests that do not meet the fault are served.
    if (this.outages.isFailing) alarms.push('the database fails some of the work, see the log of WorkflowStore');
    const { givenUp } = this.background;
    if (givenUp > 0)
      alarms.push(`background activities that have not returned although their signal was aborted: ${givenUp}`);
    const { nearLimit } = this.states;
    this.logNew(nearLimit);
    if (nearLimit.length > 0)
      alarms.push(`instances whose state is near the limit of its size: ${nearLimit.length}, see the log of Health`);
    return alarms;
  }

  /** Once each, as long as they stay near the limit. */
  private logNew(nearLimit: readonly LargeState[]): void {
    const before = this.named;
    this.named = new Set(nearLimit.map(({ workflowInstanceId }) => workflowInstanceId));
    const fresh = nearLimit.filter(({ workflowInstanceId }) => !before.has(workflowInstanceId));
    if (fresh.length > 0)
      this.logger.warn(`Instances whose state is near the limit of its size: ${fresh.length}; ${firstOf(fresh)}`);
  }

  /** Alive: the process answers at all. */
  @Get('live')
  live(): { status: string } {
    return { status: 'alive' };
  }

  @Get('ready')
  ready(): Promise<HealthAnswer> {
    return this.check();
  }
}

function firstOf(states: readonly LargeState[]): string {
  const named = states
    .slice(0, MOST_NAMED)
    .map(
      ({ workflowInstanceId, definitionId, bytes, maxBytes }) =>
        `'${workflowInstanceId}' of '${definitionId}' ${Math.floor((100 * bytes) / maxBytes)} %`,
    );
  return named.join(', ') + (states.length > MOST_NAMED ? ', …' : '');
}
