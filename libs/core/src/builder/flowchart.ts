import { Flowchart } from '../flowchart/flowchart.js';
import { DONE } from '../state/outcomes.js';
import { type ActivityBuilder, isActivityBuilder, requireSettings } from './activity-builder.js';
import { buildFromClass, withMembers } from './build-activity.js';
import { WorkflowBuildError } from './build-error.js';
import type { ContainerSettings } from './containers.js';
import { activityIdPart } from './parts.js';

interface Connection {
  readonly source: ActivityBuilder;
  readonly port: string;
  readonly target: ActivityBuilder;
}

/**
 * Builds a flowchart: activities with connections between them:
 *
 *     flowchart((flow) => {
 *       flow.start(ask).on('Approved', book, notify).on('Rejected', notify);
 *     })
 *
 * Using the same object again means the same activity: a connection back to it makes a loop, and two paths that lead to it meet
 * there.
 * @param draw connects the steps @param settings settings, including its own `variables` and the `mode` in which it runs
 * @throws WorkflowBuildError WM1206 an outcome that the activity does not declare · WM1209 no start, or an activity that no
 *   connection leads to
 */
export function flowchart(draw: (flow: FlowchartBuilder) => void, settings: ContainerSettings = {}): ActivityBuilder {
  requireSettings('flowchart()', settings, 'variables');
  const { variables, ...others } = settings;
  const flow = new FlowchartBuilder();
  draw(flow);
  const { start, activities, connections } = flow.finish();
  const built = buildFromClass(Flowchart, { activities }, others, { variables });
  return withMembers(built, {
    start: activityIdPart(start),
    connections: connections.map(({ source, port, target }) => ({
      source: { activity: activityIdPart(source), port },
      target: { activity: activityIdPart(target), port: 'In' },
    })),
  });
}

/** @throws WorkflowBuildError WM1206 */
function requireStep(step: ActivityBuilder): ActivityBuilder {
  if (isActivityBuilder(step)) return step;
  throw new WorkflowBuildError(
    'WM1206',
    'Elsa.Flowchart',
    `A step of a flowchart must be an activity, as activity() makes it, not ${step === null ? 'null' : typeof step}.`,
  );
}

/** Draws one flowchart. */
export class FlowchartBuilder {
  private first: ActivityBuilder | undefined;
  private readonly activities = new Set<ActivityBuilder>();
  private readonly connections: Connection[] = [];

  /** Sets the activity at which the flowchart starts, unless one of its triggers starts the workflow. */
  start(activity: ActivityBuilder): FlowPosition {
    requireStep(activity);
    if (this.first && this.first !== activity)
      throw new WorkflowBuildError(
        'WM1209',
        activity.type,
        `A flowchart has one start, but two were given: '${this.first.type}' and '${activity.type}'. Continue from the first with flow.from().`,
      );
    this.first = activity;
    return this.from(activity);
  }

  /** Continues from one activity, or from several: the next activity is connected with each of them. */
  from(...activities: readonly ActivityBuilder[]): FlowPosition {
    for (const activity of activities) this.activities.add(requireStep(activity));
    return new FlowPosition(activities, (source, port, target) => this.connect(source, port, target));
  }

  /** Returns the flowchart that was drawn. */
  finish(): { start: ActivityBuilder; activities: ActivityBuilder[]; connections: readonly Connection[] } {
    const { first, connections } = this;
    if (!first)
      throw new WorkflowBuildError(
        'WM1209',
        'Elsa.Flowchart',
        'A flowchart has no start: call flow.start() with its first activity.',
      );
    const reached = new Set([first, ...[...this.activities].filter((a) => a.settings.canStartWorkflow)]);
    // A set takes in what is added while it is gone through.
    for (const activity of reached)
      for (const { source, target } of connections) if (source === activity) reached.add(target);
    for (const activity of this.activities)
      if (!reached.has(activity))
        throw new WorkflowBuildError(
          'WM1209',
          activity.settings.id ?? activity.type,
          `Nothing leads to '${activity.settings.id ?? activity.type}' in a flowchart. Connect it, or mark it as a trigger.`,
        );
    return { start: first, activities: [first, ...[...this.activities].filter((a) => a !== first)], connections };
  }

  private connect(source: ActivityBuilder, port: string, target: ActivityBuilder): void {
    const { outcomes } = source.facts;
    if (outcomes && !outcomes.includes(port))
      throw new WorkflowBuildError(
        'WM1206',
        source.settings.id ?? source.type,
        `Activity '${source.settings.id ?? source.type}' has no outcome '${port}'. It has: ${outcomes.join(', ')}.`,
      );
    this.activities.add(requireStep(target));
    const isDrawn = this.connections.some((c) => c.source === source && c.port === port && c.target === target);
    if (!isDrawn) this.connections.push({ source, port, target });
  }
}

/**
 * A position in a flowchart from which connections continue. It has no method `then`, because `await` would take it for a
 * promise.
 */
export class FlowPosition {
  constructor(
    private readonly activities: readonly ActivityBuilder[],
    private readonly connect: (source: ActivityBuilder, port: string, target: ActivityBuilder) => void,
  ) {}

  /** Connects the steps that follow outcome `Done`, one after the other, and continues from the last of them. */
  next(...steps: readonly [ActivityBuilder, ...ActivityBuilder[]]): FlowPosition {
    this.chain(DONE, steps);
    return new FlowPosition(steps.slice(-1), this.connect);
  }

  /**
   * Connects the steps that follow one outcome of the activity, one after the other. The position stays at this activity, so
   * that further outcomes can be connected: a `next` after it follows `Done` of this activity, not of the steps.
   * @example flow.start(ask).on('Approve', book, notify).on('Reject', cancel)
   */
  on(outcome: string, ...steps: readonly [ActivityBuilder, ...ActivityBuilder[]]): this {
    this.chain(outcome, steps);
    return this;
  }

  private chain(port: string, steps: readonly ActivityBuilder[]): void {
    for (const activity of this.activities) this.connect(activity, port, steps[0]!);
    for (const [i, step] of steps.slice(1).entries()) this.connect(steps[i]!, DONE, step);
  }
}
