import {
  activity,
  Cron,
  sequence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
} from '@waymark/nestjs';
import { CloseDay } from './close-day.activity';

/** Every branch closes its day at half past two in its own night; a night that was missed is made up for once. */
abstract class ClosingWorkflow implements WorkflowBuilder {
  protected abstract readonly branch: string;
  protected abstract readonly timeZone: string;

  build(w: WorkflowDefinitionBuilder): void {
    w.root(
      sequence([
        trigger(
          Cron,
          { cronExpression: '0 30 2 * * *', timeZone: this.timeZone },
          { id: 'night', customProperties: { misfire: 'once' } },
        ),
        activity(CloseDay, { branch: this.branch, timeZone: this.timeZone }, { id: 'close' }),
      ]),
    );
  }
}

@Workflow({ id: 'closing-berlin' })
export class BerlinClosing extends ClosingWorkflow {
  protected readonly branch = 'Berlin';
  protected readonly timeZone = 'Europe/Berlin';
}

@Workflow({ id: 'closing-new-york' })
export class NewYorkClosing extends ClosingWorkflow {
  protected readonly branch = 'New York';
  protected readonly timeZone = 'America/New_York';
}

@Workflow({ id: 'closing-kolkata' })
export class KolkataClosing extends ClosingWorkflow {
  protected readonly branch = 'Kolkata';
  protected readonly timeZone = 'Asia/Kolkata';
}
