import type { NodeReader } from '../graph/child-reader.js';
import { Port } from '../activities/decorators.js';
import { completeAround } from '../control-flow/complete-around.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { CompleteCompositeSignal, Signal, SignalContext } from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { Steps } from './activity-builder.js';
import { toActivity } from './build-activity.js';
import { DefinitionWriter } from './definition-writer.js';
import { replaceFunctions } from './function-reference.js';

/**
 * Base of activities that are made of other activities:
 *
 * ```ts
 * @Activity({ category: 'Sales', outcomes: ['Small', 'Large'] })
 * class Rate extends CompositeBase {
 *   @Input({ type: 'Int32' }) amount!: number;
 *   @Output({ type: 'String' }) rating?: string;
 *
 *   define() {
 *     return [
 *       inline((ctx) => ctx.setVariable('Rating', ctx.getVariable<number>('Amount') > 100 ? 'A' : 'B')),
 *       ifElse((scope) => scope.getVariable('Rating') === 'A', complete('Large'), complete('Small')),
 *     ];
 *   }
 * }
 * ```
 *
 * Inside, inputs and outputs are variables of their names, with a capital; they are stored with the instance. What the
 * variable of an output holds at the end is the output. Complete inside ends the composite, with its outcomes.
 */
export abstract class CompositeBase extends ActivityBase {
  /** The activity that it is made of. */
  @Port({ isBrowsable: false }) root: ActivityNode | undefined;

  /**
   * What it runs. Called once for each use in a workflow, when that is compiled, and not on the provider: services are
   * not injected yet. It is code, not part of the stored definition: running instances go on with what is deployed.
   */
  abstract define(): Steps;

  /** Reads what the inputs do not say, once for each place in a definition; the engine calls it. */
  static readNode(
    this: { readonly name: string; readonly prototype: CompositeBase },
    _json: Readonly<Record<string, unknown>>,
    reader: NodeReader,
  ): Record<string, unknown> {
    const writer = new DefinitionWriter(this.name, new Set());
    const json = writer.write(toActivity(this.prototype.define()));
    return {
      root: reader.child(
        replaceFunctions(json, (key) => writer.functions.get(key)),
        'Root',
      ),
    };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const { outputs } = ctx.node.registration.descriptor;
    for (const { name } of outputs) ctx.workflow.declareDynamic(ctx, name, null);
    for (const { name, propertyName } of ctx.node.inputs)
      ctx.workflow.declareDynamic(ctx, name, (this as unknown as Record<string, unknown>)[propertyName] ?? null);
    return ctx.schedule(this.root, { callback: this.onRootCompleted });
  }

  /** Called by the engine when the inner activity has completed. */
  onRootCompleted(ctx: ActivityExecutionContext): unknown {
    return this.end(ctx);
  }

  override onSignal(signal: Signal, context: SignalContext): unknown {
    // Its own completion by name is a matter of those inside it, not of the composite that it stands in.
    if (signal.type !== 'CompleteComposite') return undefined;
    context.stopPropagation();
    completeAround(context);
    return this.end(context.receiver, (signal as CompleteCompositeSignal).result);
  }

  private end(ctx: ActivityExecutionContext, result?: unknown): unknown {
    for (const { name } of ctx.node.registration.descriptor.outputs) {
      const value = ctx.slots?.find((slot) => slot.variable.name === name)?.value;
      if (value !== undefined && value !== null) ctx.setOutput(name, value);
    }
    return ctx.complete(result);
  }
}
