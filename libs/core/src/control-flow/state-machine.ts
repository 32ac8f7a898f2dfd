import type { ActivityNode } from '../graph/activity-node.js';
import type { NodeReader } from '../graph/child-reader.js';
import { Activity } from '../activities/decorators.js';
import { InitialStateError, WorkflowExecutionError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration, MigratedChild } from '../execution/activity-migration.js';
import { afterRestoring } from '../execution/restore-within.js';
import { isPromiseLike } from '../values/promise-like.js';
import {
  type MachineState,
  type MachineTransition,
  readStates,
  readTransitions,
  statesByName,
  waysOutOf,
} from './state-machine-model.js';

/** Name of the current state. */
const CURRENT = 'CurrentState';
/** Index of the transition whose condition is being evaluated. */
const DECIDING = 'DecidingTransition';
/** The step that a timeout has cancelled: the next attempt repeats it. */
const REPEATS = 'RepeatedStep';
/** Transitions in a row in which no activity ran: more means that the machine goes round in circles. */
const MAX_EMPTY_TRANSITIONS = 1000;

/** An entry, an action or an exit, by its callback, and the transition that an action or an exit belongs to. */
interface RepeatedStep {
  readonly callback: string;
  readonly state: string;
  readonly transition?: number;
}

/** Name of the state to enter next; undefined when an activity decides on that. */
type Next = string | undefined | PromiseLike<unknown>;

/**
 * States: enter → entry activity → armed (triggers of all transitions run) → a trigger completes and its condition holds
 * → action → exit activity → enter the next. A state without transitions completes the machine.
 * Each step that waits is a callback; the tag says which transition it belongs to.
 */
@Activity({
  type: 'Elsa.StateMachine',
  category: 'Flow',
  description: 'Moves from state to state when the trigger of a transition fires.',
})
export class StateMachine extends ActivityBase {
  private states: readonly MachineState[];
  private transitions: readonly MachineTransition[];
  private initialState: string | undefined;
  // A definition may have tens of thousands of both: looked for one by one, entering a state would take seconds.
  private stateOf: ReadonlyMap<string, MachineState>;
  private waysOut: ReadonlyMap<string, readonly MachineTransition[]>;

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    const states = readStates(json.states, reader);
    const transitions = readTransitions(json.transitions, reader);
    const stateOf = statesByName(states);
    return {
      states,
      transitions,
      stateOf,
      waysOut: waysOutOf(transitions, stateOf),
      initialState: typeof json.initialState === 'string' && json.initialState !== '' ? json.initialState : undefined,
    };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.properties[CURRENT] !== undefined) return afterRestoring(ctx, () => this.executeAgain(ctx));
    const name = this.initialState ?? this.states[0]?.name;
    if (name === undefined || this.states.length === 0) return ctx.complete();
    if (!this.find(name)) throw new InitialStateError(ctx.node.id, name);
    return this.enter(ctx, name);
  }

  /** After a fault of its own, such as a condition that throws: what has been done, and the trigger that has fired, are not lost. */
  private executeAgain(ctx: ActivityExecutionContext): unknown {
    ctx.cancelChildren();
    const repeated = ctx.properties[REPEATS] as RepeatedStep | undefined;
    delete ctx.properties[REPEATS];
    if (repeated && repeated.state === ctx.properties[CURRENT]) return this.repeat(ctx, repeated);
    const transition = this.transitions[ctx.properties[DECIDING] as number];
    if (transition && transition.from === ctx.properties[CURRENT]) return this.decide(ctx, transition, true);
    return this.goOn(ctx, this.arm(ctx));
  }

  /** The next attempt repeats the entry, the action or the exit that was cancelled; while it waits for triggers, there is none. */
  override onTimedOut(ctx: ActivityExecutionContext): void {
    delete ctx.properties[REPEATS];
    const child = ctx.activeChildren?.first;
    const state = ctx.properties[CURRENT] as string | undefined;
    const callback = child?.callback?.method;
    if (state === undefined || !child || callback === undefined || !this.isStep(callback)) return;
    const transition = child.tag === undefined ? {} : { transition: child.tag as number };
    ctx.properties[REPEATS] = { callback, state, ...transition } satisfies RepeatedStep;
  }

  private isStep(callback: string): boolean {
    return [this.onEntered, this.onActed, this.onExited].some(({ name }) => name === callback);
  }

  private repeat(ctx: ActivityExecutionContext, { callback, state, transition: index }: RepeatedStep): unknown {
    const transition = index === undefined ? undefined : this.transitions[index];
    if (transition?.from !== state) return this.enter(ctx, state);
    return this.goOn(ctx, callback === this.onActed.name ? this.leave(ctx, transition) : this.exit(ctx, transition));
  }

  /** Called by the engine when the entry of a state has completed. */
  onEntered(ctx: ActivityExecutionContext): unknown {
    return this.goOn(ctx, this.arm(ctx));
  }

  /** Called by the engine when the trigger of a transition has completed. */
  onTriggered(ctx: ActivityExecutionContext): unknown {
    const transition = this.transitions[ctx.tag as number];
    // It belongs to a state that was left in the meantime.
    if (!transition || transition.from !== ctx.properties[CURRENT]) return undefined;
    const { workflow } = ctx;
    // Waited for again, in this state or the next one, it would complete at once, and the burst would not end.
    if (workflow.graph.isTrigger(transition.trigger!, workflow.triggerActivityId)) workflow.isTriggerUsedUp = true;
    return this.decide(ctx, transition);
  }

  /** @param isAgain the other triggers of the state were cancelled before: it listens to all of them */
  private decide(ctx: ActivityExecutionContext, transition: MachineTransition, isAgain = false): unknown {
    ctx.properties[DECIDING] = transition.index;
    const decided = (holds: unknown): unknown => {
      delete ctx.properties[DECIDING];
      if (holds === true) return this.goOn(ctx, this.leave(ctx, transition));
      return isAgain ? this.goOn(ctx, this.arm(ctx)) : this.listen(ctx, transition);
    };
    const holds = ctx.evaluate(transition.condition);
    return isPromiseLike(holds) ? holds.then(decided) : decided(holds);
  }

  /** Called by the engine when the action of a transition has completed. */
  onActed(ctx: ActivityExecutionContext): unknown {
    return this.goOn(ctx, this.exit(ctx, this.transitions[ctx.tag as number]!));
  }

  /** Called by the engine when the exit of a state has completed. */
  onExited(ctx: ActivityExecutionContext): unknown {
    return this.enter(ctx, this.transitions[ctx.tag as number]!.to);
  }

  /**
   * It stays in its state, and what runs or waits belongs to the same transition, whichever place that has in the other
   * version.
   */
  override onMigrated({ activity, properties, children, counterpartOf, refuse, note }: ActivityMigration): void {
    const before = activity as StateMachine;
    const current = properties[CURRENT] as string | undefined;
    if (current === undefined) return;
    const deciding = before.transitions[properties[DECIDING] as number];
    delete properties[DECIDING];
    const counterpart = deciding?.trigger && counterpartOf(deciding.trigger);
    const moved = this.transitions.find((t) => t.from === deciding?.from && t.to === deciding.to);
    if (moved && moved.trigger === counterpart) properties[DECIDING] = moved.index;
    const repeated = properties[REPEATS] as RepeatedStep | undefined;
    const from = repeated?.transition === undefined ? undefined : before.transitions[repeated.transition];
    if (from) {
      const to = this.transitions.find((t) => t.from === from.from && t.to === from.to);
      if (to) properties[REPEATS] = { ...repeated, transition: to.index };
      else delete properties[REPEATS];
    }
    if (!this.find(current)) return refuse(`it is in state '${current}', which the other version does not have`);
    for (const child of children) {
      if (typeof child.tag !== 'number') continue;
      const transition = before.transitions[child.tag];
      const same = transition && this.transitionOf(transition, child);
      if (!same)
        return refuse(
          `the transition that '${child.from.id}' belongs to is not part of state '${current}' in the other version`,
        );
      child.tag = same.index;
    }
    const listening = new Set(children.map(({ to }) => to));
    const isListening = children.some(({ to }) => this.isTrigger(to));
    for (const { from, trigger } of this.transitions)
      if (from === current && trigger && !listening.has(trigger) && isListening)
        note(
          `'${trigger.id}' is a new transition out of state '${current}': the instance does not wait for it in this state`,
        );
  }

  private transitionOf({ from, to, trigger, action }: MachineTransition, child: MigratedChild) {
    const role = child.from === trigger ? 'trigger' : child.from === action ? 'action' : undefined;
    return this.transitions.find((t) => t.from === from && t.to === to && (role === undefined || t[role] === child.to));
  }

  private isTrigger(node: ActivityNode): boolean {
    return this.transitions.some(({ trigger }) => trigger === node);
  }

  /**
   * Goes from state to state until an activity is scheduled or a trigger is waited for. A loop, not recursion: a machine
   * that goes round in circles has to fail with its own error, not with a full stack.
   * @param empty transitions made since an activity ran
   */
  private enter(ctx: ActivityExecutionContext, first: string, empty = 0): unknown {
    for (let name = first; empty <= MAX_EMPTY_TRANSITIONS; empty++) {
      ctx.properties[CURRENT] = name;
      const entry = this.find(name)?.entry;
      if (entry) return ctx.schedule(entry, { callback: this.onEntered });
      const next = this.arm(ctx);
      if (isPromiseLike(next)) return this.goOn(ctx, next, empty + 1);
      if (next === undefined) return undefined;
      name = next as string;
    }
    throw new WorkflowExecutionError(
      'WM2035',
      `State machine '${ctx.node.id}' loops endlessly at state '${first}': transitions without triggers form a cycle. Give one of them a trigger or a condition.`,
    );
  }

  private goOn(ctx: ActivityExecutionContext, next: Next, empty = 0): unknown {
    if (isPromiseLike(next)) return next.then((name) => this.goOn(ctx, name as string | undefined, empty));
    return next === undefined ? undefined : this.enter(ctx, next as string, empty);
  }

  /** Listens to the triggers of all ways out; a way without a trigger that is allowed is taken at once. */
  private arm(ctx: ActivityExecutionContext): Next {
    const outbound = this.waysOut.get(ctx.properties[CURRENT] as string);
    if (outbound) return this.armFrom(ctx, outbound, 0);
    const done = ctx.complete();
    return isPromiseLike(done) ? done.then(() => undefined) : undefined;
  }

  private armFrom(ctx: ActivityExecutionContext, outbound: readonly MachineTransition[], from: number): Next {
    for (let i = from; i < outbound.length; i++) {
      const transition = outbound[i]!;
      if (transition.trigger) {
        this.listen(ctx, transition);
        continue;
      }
      const holds = ctx.evaluate(transition.condition);
      if (isPromiseLike(holds))
        return holds.then((h) => (h === true ? this.leave(ctx, transition) : this.armFrom(ctx, outbound, i + 1)));
      if (holds === true) return this.leave(ctx, transition);
    }
    return undefined;
  }

  private listen(ctx: ActivityExecutionContext, transition: MachineTransition): unknown {
    return ctx.schedule(transition.trigger, { callback: this.onTriggered, tag: transition.index });
  }

  private leave(ctx: ActivityExecutionContext, transition: MachineTransition): Next {
    return afterRestoring(ctx, () => this.leaveState(ctx, transition));
  }

  private leaveState(ctx: ActivityExecutionContext, transition: MachineTransition): string | undefined {
    ctx.cancelChildren();
    const { action, index } = transition;
    if (!action) return this.exit(ctx, transition);
    ctx.schedule(action, { callback: this.onActed, tag: index });
    return undefined;
  }

  private exit(ctx: ActivityExecutionContext, { from, to, index }: MachineTransition): string | undefined {
    const exit = this.find(from)?.exit;
    if (!exit) return to;
    ctx.schedule(exit, { callback: this.onExited, tag: index });
    return undefined;
  }

  private find(name: string): MachineState | undefined {
    return this.stateOf.get(name);
  }
}
