import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { RuntimeGate, WorkflowPersistence } from '@waymark/runtime';

/** For load balancers and process managers. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly gate: RuntimeGate,
  ) {}

  /** Healthy: the store answers and the runtime takes work. */
  @Get()
  async check(): Promise<{ status: string }> {
    await this.askStore();
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

  private async askStore(): Promise<void> {
    try {
      await this.persistence.definitions.changeCounter();
    } catch (error) {
      throw new ServiceUnavailableException({
        status: 'database unreachable',
        message: String((error as Error).message),
      });
    }
  }
}
