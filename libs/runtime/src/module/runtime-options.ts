import { randomUUID } from 'node:crypto';
import type { InjectionToken } from '@nestjs/common';
import { hostname } from 'node:os';
import type {
  ActivityMiddleware,
  ExpressionHandler,
  FlowchartMode,
  IncidentStrategy,
  WorkflowMiddleware,
} from '@waymark/core';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** A persistence that is made of other providers, such as the application's data source. */
export interface PersistenceProvider {
  readonly inject: readonly InjectionToken[];
  useFactory(...dependencies: never[]): WorkflowPersistence | Promise<WorkflowPersistence>;
}

/** What a host may set. Everything has a default. */
export interface WorkflowRuntimeOptions {
  /**
   * Where everything is kept. A provider works with `forRoot` only; with `forRootAsync` inject what it needs yourself.
   * @default in memory, with a warning at start
   */
  persistence?: WorkflowPersistence | PersistenceProvider;
  /** Name of this process among the nodes of a cluster. @default host name, process id and a random part */
  nodeName?: string;
  /** @default the system's time, corrected to that of the database */
  clock?: WorkflowClock;
  /** How flowcharts decide what runs next. @default 'counter' */
  flowchartMode?: FlowchartMode;
  /** For definitions that name none. @default 'Fault' */
  defaultIncidentStrategy?: string;
  /** Incident strategies of the host, by name. */
  incidentStrategies?: Readonly<Record<string, IncidentStrategy>>;
  /** Around every activity, outermost first. */
  activityMiddleware?: readonly ActivityMiddleware[];
  /** Around every burst, outermost first. */
  workflowMiddleware?: readonly WorkflowMiddleware[];
  /** Further expression syntaxes. */
  expressions?: readonly ExpressionHandler[];
  /** False: neither log entries nor activity records are written. @default true */
  journal?: boolean;
  /** Where WriteLine writes. @default the Nest logger, level debug */
  writeLine?: (text: string) => void;
  /** How long an unmatched stimulus is kept, in milliseconds. @default 600000 (10 minutes) */
  stimulusTtlMs?: number;
  /** Failed deliveries until a stimulus or message is set aside. @default 10 */
  maxDeliveryAttempts?: number;
  /** How often other nodes' changes and left-over messages are looked for, in milliseconds. @default 1000 */
  pollIntervalMs?: number;
  /** Messages of the outbox and queue served at the same time. @default 16 */
  deliveryConcurrency?: number;
  /** How long shutdown waits for running bursts, in milliseconds. @default 30000 */
  drainTimeoutMs?: number;
  /** How long finished instances and their journal are kept, in milliseconds; false: for ever. @default 30 days */
  retentionMs?: number | false;
  /** A burst that was committed half-way and has not moved for that long is taken over, in milliseconds. @default 300000 */
  interruptedAfterMs?: number;
}

export type ResolvedRuntimeOptions = Readonly<
  Required<Omit<WorkflowRuntimeOptions, 'persistence' | 'clock' | 'writeLine'>> &
    Pick<WorkflowRuntimeOptions, 'persistence' | 'clock' | 'writeLine'>
>;

/** Applies defaults and rejects values that cannot work. @throws RangeError naming the option */
export function resolveRuntimeOptions(options: WorkflowRuntimeOptions = {}): ResolvedRuntimeOptions {
  const resolved: ResolvedRuntimeOptions = {
    persistence: options.persistence,
    clock: options.clock,
    writeLine: options.writeLine,
    nodeName: options.nodeName ?? `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    flowchartMode: options.flowchartMode ?? 'counter',
    defaultIncidentStrategy: options.defaultIncidentStrategy ?? 'Fault',
    incidentStrategies: options.incidentStrategies ?? {},
    activityMiddleware: options.activityMiddleware ?? [],
    workflowMiddleware: options.workflowMiddleware ?? [],
    expressions: options.expressions ?? [],
    journal: options.journal ?? true,
    stimulusTtlMs: options.stimulusTtlMs ?? 600_000,
    maxDeliveryAttempts: options.maxDeliveryAttempts ?? 10,
    pollIntervalMs: options.pollIntervalMs ?? 1000,
    deliveryConcurrency: options.deliveryConcurrency ?? 16,
    drainTimeoutMs: options.drainTimeoutMs ?? 30_000,
    retentionMs: options.retentionMs ?? 30 * 24 * 3_600_000,
    interruptedAfterMs: options.interruptedAfterMs ?? 300_000,
  };
  for (const name of ['stimulusTtlMs', 'maxDeliveryAttempts', 'pollIntervalMs', 'deliveryConcurrency'] as const)
    if (!(resolved[name] > 0))
      throw new RangeError(`WorkflowModule option '${name}' must be greater than 0, not ${resolved[name]}.`);
  if (!['counter', 'token'].includes(resolved.flowchartMode))
    throw new RangeError(
      `WorkflowModule option 'flowchartMode' is 'counter' or 'token', not '${resolved.flowchartMode}'.`,
    );
  return resolved;
}

/** Token of the resolved options. */
export const RUNTIME_OPTIONS = Symbol.for('@waymark/runtime:options');
/** Token of expression handlers that other libraries of the front door contribute. */
export const EXPRESSION_HANDLERS = Symbol.for('@waymark/runtime:expression-handlers');
