import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { RuntimeGate, StoreHealth, type StoreStatus } from '@waymark/runtime';

const FAULTS: Readonly<Record<Exclude<StoreStatus, 'writable'>, string>> = {
  unreachable: 'database unreachable',
  unwritable: 'database refuses writes',
  busy: 'database busy',
};

/** For load balancers and process managers. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly store: StoreHealth,
    private readonly gate: RuntimeGate,
  ) {}

  /** Healthy: the store can be written and the runtime takes work. */
  @Get()
  async check(): Promise<{ status: string }> {
    const store = await this.store.check();
    if (store !== 'writable') throw new ServiceUnavailableException({ status: FAULTS[store] });
    if (this.gate.closedBecause) throw new ServiceUnavailableException({ status: this.gate.closedBecause });
    return { status: 'healthy' };
  }

  /** Alive: the process answers at all. */
  @Get('live')
  live(): { status: string } {
    return { status: 'alive' };
  }

  @Get('ready')
  ready(): Promise<{ status: string }> {
    return this.check();
  }
}
