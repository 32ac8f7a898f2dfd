import { Inject, Injectable } from '@nestjs/common';
import { InvalidOptionError, type WorkflowExecutionContext, type WorkflowGraph } from '@waymark/core';
import { type BurstCommits, optionKinds } from '@waymark/core/adapter';
import { EXECUTE_WORKFLOW } from './messages.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type {
  ActivityCommitStrategy,
  CommitAction,
  CommitStrategyContext,
  WorkflowCommitStrategy,
} from '../commit-strategies/commit-strategy.js';
import { STOCK_ACTIVITY_STRATEGIES, STOCK_WORKFLOW_STRATEGIES } from '../commit-strategies/stock-commit-strategies.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** What the strategies of one definition say; `undefined` for nearly all, which are committed at the end of each burst. */
interface Plan {
  readonly workflow: WorkflowCommitStrategy | undefined;
  /** By node id. */
  readonly activities: ReadonlyMap<string, ActivityCommitStrategy>;
  /** Node ids of activities that commit another instance, their child, before the burst is committed. */
  readonly startsChild: ReadonlySet<string>;
}

type Decide = (context: CommitStrategyContext) => CommitAction;

/** Holds the commit strategies, and tells which of them apply to a definition. */
@Injectable()
export class CommitStrategies {
  private readonly logger = new WorkflowLogger('Workflow');
  /** Those that workflows may name. */
  readonly workflows: readonly WorkflowCommitStrategy[];
  /** Those that activities may name. */
  readonly activities: readonly ActivityCommitStrategy[];
  private readonly defaultWorkflow: WorkflowCommitStrategy | undefined;
  private readonly defaultActivity: ActivityCommitStrategy | undefined;
  private readonly plans = new WeakMap<WorkflowGraph, { readonly plan: Plan | undefined }>();

  /** @throws RangeError for a default that names no strategy */
  constructor(@Inject(RUNTIME_OPTIONS) { commitStrategies }: ResolvedRuntimeOptions) {
    const { workflows = [], activities = [], defaultWorkflow, defaultActivity } = commitStrategies;
    this.workflows = merge(STOCK_WORKFLOW_STRATEGIES, workflows);
    this.activities = merge(STOCK_ACTIVITY_STRATEGIES, activities);
    this.defaultWorkflow = requireNamed(this.workflows, 'defaultWorkflow', defaultWorkflow);
    this.defaultActivity = requireNamed(this.activities, 'defaultActivity', defaultActivity);
  }

  /**
   * Returns the commits of one burst of a definition; undefined if it is committed only at its end.
   * @param commit writes what the burst did so far
   * @param isStored whether the instance, or a parent that would run it again, has been committed
   */
  forBurst(
    graph: WorkflowGraph,
    commit: (wec: WorkflowExecutionContext) => Promise<void>,
    isStored: (wec: WorkflowExecutionContext) => boolean,
  ): BurstCommits | undefined {
    const plan = this.planOf(graph);
    if (!plan) return undefined;
    let since: number | undefined;
    const commitNow = (wec: WorkflowExecutionContext) => commit(wec).then(() => void (since = wec.now()));
    const commitIf = (wec: WorkflowExecutionContext, decide: Decide, activity?: CommitStrategyContext['activity']) => {
      const uncommittedMs = wec.now() - (since ??= wec.now());
      return decide({ workflow: wec, activity, uncommittedMs }) === 'Commit' ? commitNow(wec) : undefined;
    };
    return {
      begin: (wec) => commitIf(wec, (context) => plan.workflow?.decide('WorkflowExecuting', context) ?? 'Default'),
      executing: (ctx) =>
        // Otherwise the child could be stored and its parent not: when the node dies, no parent would wait for the child (W8).
        plan.startsChild.has(ctx.node.nodeId) && !isStored(ctx.workflow)
          ? commitNow(ctx.workflow)
          : commitIf(ctx.workflow, (context) => this.decide(plan, 'ActivityExecuting', context), ctx),
      executed: (ctx) => commitIf(ctx.workflow, (context) => this.decide(plan, 'ActivityExecuted', context), ctx),
    };
  }

  /** The activity's own strategy, else that for all activities, else the workflow's. */
  private decide(
    plan: Plan,
    event: 'ActivityExecuting' | 'ActivityExecuted',
    context: CommitStrategyContext,
  ): CommitAction {
    const strategy = plan.activities.get(context.activity!.node.nodeId) ?? this.defaultActivity;
    const action = strategy?.decide(event, context) ?? 'Default';
    return action === 'Default' ? (plan.workflow?.decide(event, context) ?? 'Default') : action;
  }

  private planOf(graph: WorkflowGraph): Plan | undefined {
    let known = this.plans.get(graph);
    if (!known) {
      known = { plan: this.makePlan(graph) };
      this.plans.set(graph, known);
    }
    return known.plan;
  }

  private makePlan(graph: WorkflowGraph): Plan | undefined {
    const { definitionId, options } = graph.definition;
    const workflow = this.find(this.workflows, options.commitStrategyName, definitionId) ?? this.defaultWorkflow;
    const activities = new Map<string, ActivityCommitStrategy>();
    const startsChild = new Set<string>();
    for (const { nodeId, type, customProperties } of graph.nodes) {
      if (type === EXECUTE_WORKFLOW) startsChild.add(nodeId);
      const strategy = this.find(this.activities, customProperties.commitStrategyName, nodeId);
      if (strategy) activities.set(nodeId, strategy);
    }
    const isNeeded = workflow || this.defaultActivity || activities.size > 0 || startsChild.size > 0;
    return isNeeded ? { workflow, activities, startsChild } : undefined;
  }

  private find<S extends { readonly name: string }>(all: readonly S[], name: unknown, where: string): S | undefined {
    if (typeof name !== 'string' || name === '') return undefined;
    const found = all.find((strategy) => strategy.name === name);
    if (!found)
      this.logger.warn(`'${where}' names commit strategy '${name}', which does not exist: the default is used.`);
    return found;
  }
}

/** Those of the host go before stock ones of the same name. */
function merge<S extends { readonly name: string }>(stock: readonly S[], own: readonly S[]): readonly S[] {
  return [...new Map([...stock, ...own].map((strategy) => [strategy.name, strategy] as const)).values()];
}

function requireNamed<S extends { readonly name: string }>(
  all: readonly S[],
  option: string,
  name: string | undefined,
): S | undefined {
  const found = all.find((strategy) => strategy.name === name);
  if (name === undefined || found) return found;
  const names = optionKinds.inWords(all.map((strategy) => strategy.name));
  throw new InvalidOptionError('WorkflowModule', `commitStrategies.${option}`, names, `'${name}'`);
}
