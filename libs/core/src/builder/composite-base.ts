import type { NodeReader } from '../graph/child-reader.js';
import { Port } from '../activities/decorators.js';
import { completedRoot, completeRoot, forgetRoot } from '../control-flow/completed-root.js';
import { completeAround } from '../control-flow/complete-around.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { CompleteCompositeSignal, Signal, SignalContext } from '../execution/signals.js';
import { storageOf } from '../execution/dynamic-variable.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { Steps } from './activity-builder.js';
import { toActivity } from './build-activity.js';
import { DefinitionWriter } from './definition-writer.js';
import { replaceFunctions } from './function-reference.js';

/**
 * Base class of activities that consist of other activities:
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
 * Inside, each input and output is a variable of the same name in PascalCase, stored with the instance: encrypted if the input is
 * `isEncrypted`. One that is `isSensitive` is not stored, and null once the composite has waited. The final value of the variable
 * is the value of the output. A Complete activity inside ends the composite with the outcomes of Complete.
 */
export abstract class CompositeBase extends ActivityBase {
  /** The activity that it runs. */
  @Port({ isBrowsable: false }) root: ActivityNode | undefined;

  /**
   * Returns the activities that it runs. Called once for each use in a workflow, when the workflow is compiled; injected
   * services are not available. The activities are code, not part of the stored definition: running instances continue with the
   * deployed code.
   */
  abstract define(): Steps;

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
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
    const completed = completedRoot(ctx);
    if (completed) return this.end(ctx, completed.result);
    const { outputs } = ctx.node.registration.descriptor;
    for (const { name } of outputs) ctx.workflow.declareDynamic(ctx, name, null);
    for (const input of ctx.node.inputs) {
      const value = (this as unknown as Record<string, unknown>)[input.propertyName] ?? null;
      ctx.workflow.declareDynamic(ctx, input.name, value, storageOf(input));
    }
    return ctx.schedule(this.root, { callback: this.onRootCompleted });
  }

  /** Called by the engine when the inner activity has completed. */
  onRootCompleted(ctx: ActivityExecutionContext): unknown {
    return this.end(ctx);
  }

  override onTimedOut(ctx: ActivityExecutionContext): void {
    forgetRoot(ctx);
  }

  override onSignal(signal: Signal, context: SignalContext): unknown {
    // Its own completion by name is a matter of those inside it, not of the composite that it stands in.
    if (signal.type !== 'CompleteComposite') return undefined;
    context.stopPropagation();
    completeAround(context);
    return this.end(context.receiver, (signal as CompleteCompositeSignal).result);
  }

  private end(ctx: ActivityExecutionContext, result?: unknown): unknown {
    return completeRoot(ctx, result, () => {
      for (const { name } of ctx.node.registration.descriptor.outputs) {
        const value = ctx.slots?.find((slot) => slot.variable.name === name)?.value;
        if (value !== undefined && value !== null) ctx.setOutput(name, value);
      }
    });
  }
}
