import { appendFileSync } from 'node:fs';
import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/nestjs';

/** Writes one line to the ledger: an effect outside of the database. */
@Activity({ type: 'Deployed.Effect' })
export class Effect extends ActivityBase {
  @Input({ type: 'String' }) label!: string;

  execute(ctx: ActivityExecutionContext): void {
    const { id, graph } = ctx.workflow;
    const line = [ctx.idempotencyKey, id, graph.definition.definitionId, graph.definition.version, this.label];
    // One write below the size of a pipe is never torn, also when several processes append.
    if (process.env.LEDGER) appendFileSync(process.env.LEDGER, `${line.join('\t')}\n`);
  }
}

/** An activity that the release before does not have. */
@Activity({ type: 'Deployed.Audit' })
export class Audit extends Effect {}
