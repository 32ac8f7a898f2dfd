import type { NodeReader } from '../activities/child-reader.js';
import { Activity } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../graph/compile-input.js';
import { readStates, readTransitions, type MachineState, type MachineTransition } from './state-machine-model.js';

/** Name of the current state. */
const CURRENT = 'CurrentState';
/** Transitions in a row in which no activity ran: more means that the machine goes round in circles. */
const MAX_EMPTY_TRANSITIONS = 1000;

/**
 * States: enter → entry activity → armed (triggers of all transitions run) → a trigger completes and its condition holds
 * → action → exit activity → enter the next. A state without transitions completes the machine.
 * Each step that waits is a callback; the tag says which transition it belongs to.
 */
@Activity({
  type: 'Elsa.StateMachine',
  category: 'Flow',
  description: 'Goes from state to state whenever the trigger of a transition fires.',
})
export class StateMachine extends ActivityBase {
  private states: readonly MachineState[];
  private transitions: readonly MachineTransition[];
  private initialState: string | undefined;

  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    return {
      states: readStates(json.states, reader),
      transitions: readTransitions(json.transitions, reader),
      initialState: typeof json.initialState === 'string' && json.initialState !== '' ? json.initialState : undefined,
    };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const name = this.initialState ?? this.states[0]?.name;
    return name === undefined ? ctx.complete() : this.enter(ctx, name, 0);
  }

  onEntered(ctx: ActivityExecutionContext): unknown {
    return this.arm(ctx, 0);
  }

  onTriggered(ctx: ActivityExecutionContext): unknown {
    const transition = this.transitions[ctx.tag as number];
    // It belongs to a state that was left in the meantime.
    if (!transition || transition.from !== ctx.properties[CURRENT]) return undefined;
    return this.whenAllowed(
      ctx,
      transition,
      () => this.leave(ctx, transition, 0),
      () => this.listen(ctx, transition),
    );
  }

  onActed(ctx: ActivityExecutionContext): unknown {
    return this.exit(ctx, this.transitions[ctx.tag as number]!, 0);
  }

  onExited(ctx: ActivityExecutionContext): unknown {
    return this.enter(ctx, this.transitions[ctx.tag as number]!.to, 0);
  }

  /** @param empty transitions made since an activity ran */
  private enter(ctx: ActivityExecutionContext, name: string, empty: number): unknown {
    if (empty > MAX_EMPTY_TRANSITIONS)
      throw new WorkflowExecutionError(
        'WM2035',
        `State machine '${ctx.node.id}' goes round in circles at state '${name}': transitions without a trigger lead from one to the other.`,
      );
    ctx.properties[CURRENT] = name;
    const entry = this.find(name)?.entry;
    return entry ? ctx.schedule(entry, { callback: this.onEntered }) : this.arm(ctx, empty);
  }

  private arm(ctx: ActivityExecutionContext, empty: number): unknown {
    const outbound = this.transitions.filter((t) => t.from === ctx.properties[CURRENT] && this.find(t.to));
    return outbound.length === 0 ? ctx.complete() : this.armFrom(ctx, outbound, empty);
  }

  private armFrom(
    ctx: ActivityExecutionContext,
    [first, ...rest]: readonly MachineTransition[],
    empty: number,
  ): unknown {
    if (!first) return undefined;
    if (!first.trigger)
      return this.whenAllowed(
        ctx,
        first,
        () => this.leave(ctx, first, empty + 1),
        () => this.armFrom(ctx, rest, empty),
      );
    this.listen(ctx, first);
    return this.armFrom(ctx, rest, empty);
  }

  private listen(ctx: ActivityExecutionContext, transition: MachineTransition): unknown {
    return ctx.schedule(transition.trigger, { callback: this.onTriggered, tag: transition.index });
  }

  private whenAllowed(
    ctx: ActivityExecutionContext,
    { condition }: MachineTransition,
    yes: () => unknown,
    no: () => unknown,
  ): unknown {
    const holds = ctx.evaluate(condition);
    return isPromiseLike(holds) ? holds.then((h) => (h === false ? no() : yes())) : holds === false ? no() : yes();
  }

  private leave(ctx: ActivityExecutionContext, transition: MachineTransition, empty: number): unknown {
    ctx.cancelChildren();
    const { action, index } = transition;
    return action ? ctx.schedule(action, { callback: this.onActed, tag: index }) : this.exit(ctx, transition, empty);
  }

  private exit(ctx: ActivityExecutionContext, transition: MachineTransition, empty: number): unknown {
    const exit = this.find(transition.from)?.exit;
    return exit
      ? ctx.schedule(exit, { callback: this.onExited, tag: transition.index })
      : this.enter(ctx, transition.to, empty);
  }

  private find(name: string): MachineState | undefined {
    return this.states.find((state) => state.name === name);
  }
}
