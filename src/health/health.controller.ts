import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { StoreOutages } from '@waymark/runtime/adapter';
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

/** Of the instances that an alarm names. */
const MOST_NAMED = 3;

interface HealthAnswer {
  readonly status: string;
  /** Versions whose work waits for a node that has their code. */
  missingCode?: MissingCode['alarms'];
  /** What else an operator should know. */
  alarms?: string[];
}

/** For load balancers and process managers. */
@Controller('health')
export class HealthController {
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
    if (this.missingCode.alarms.length > 0) answer.missingCode = this.missingCode.alarms;
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
    if (nearLimit.length > 0)
      alarms.push(`instances whose state is near the limit of its size: ${nearLimit.length}; ${firstOf(nearLimit)}`);
    return alarms;
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
