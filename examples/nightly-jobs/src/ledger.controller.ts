import { Controller, Get } from '@nestjs/common';
import { IWorkflowSchedules } from '@waymark/nestjs';
import { Ledger } from './close-day.activity';

@Controller()
export class LedgerController {
  constructor(
    private readonly ledger: Ledger,
    private readonly schedules: IWorkflowSchedules,
  ) {}

  /** What was closed, and when each branch is closed next. */
  @Get('closings')
  async closings(): Promise<{ closed: readonly string[]; next: Readonly<Record<string, string | undefined>> }> {
    const { items } = await this.schedules.list({});
    const next = items.map(({ workflowDefinitionId, nextTimes }) => [
      workflowDefinitionId,
      nextTimes[0] && new Date(nextTimes[0]).toISOString(),
    ]);
    return { closed: this.ledger.closed, next: Object.fromEntries(next) as Record<string, string | undefined> };
  }
}
