import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { MissingCode, RuntimeGate, StoreHealth, type StoreStatus, UnreadableWork } from '@waymark/runtime';

const FAULTS: Readonly<Record<Exclude<StoreStatus, 'writable'>, string>> = {
  unreachable: 'database unreachable',
  unwritable: 'database refuses writes',
  busy: 'database busy',
};

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
  ) {}

  /** Healthy: the store can be written and the runtime takes work. What it has to leave to other nodes is reported, and not a fault of this one. */
  @Get()
  async check(): Promise<HealthAnswer> {
    const store = await this.store.check();
    if (store !== 'writable') throw new ServiceUnavailableException({ status: FAULTS[store] });
    if (this.gate.closedBecause) throw new ServiceUnavailableException({ status: this.gate.closedBecause });
    const answer: HealthAnswer = { status: 'healthy' };
    if (this.missingCode.alarms.length > 0) answer.missingCode = this.missingCode.alarms;
    if (this.unreadable.isAlarming) answer.alarms = ['work of a newer version of Waymark is left to other nodes'];
    return answer;
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
