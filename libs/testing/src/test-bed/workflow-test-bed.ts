import type { INestApplicationContext } from '@nestjs/common';
import { WorkflowSubStatus } from '@waymark/core';
import { requireOneOf } from '@waymark/core/adapter';
import {
  IWorkflowDefinitionService,
  MemoryPersistence,
  RuntimeGate,
  WorkflowClock,
  type WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import {
  type LoadedInstance,
  OutboxProcessor,
  RuntimeMaintenance,
  WorkflowEventEmitter,
} from '@waymark/runtime/adapter';
import { PATIENCE_MS } from '../clock/settle.js';
import { VirtualClock } from '../clock/virtual-clock.js';
import { ApplicationIdle } from './application-idle.js';
import { RecordedEvents, type WorkflowEventPayloads } from './recorded-events.js';
import { ApplicationBusyError, NotHappenedError, NoVirtualClockError } from './test-bed-errors.js';
import { type AwaitedBookmark, WaitingInstances } from './waiting-instances.js';

/** What of Nest's `TestingModuleBuilder` is used. */
export interface OverridableModuleBuilder {
  /** Replaces a provider. */
  overrideProvider(token: unknown): { useValue(value: unknown): unknown };
  /** Makes the module. */
  compile(): Promise<{ init(): Promise<INestApplicationContext> }>;
}

/** Options of `WorkflowTestBed`. All of them have defaults. */
export interface TestBedOptions {
  /**
   * Real milliseconds after which an application that does not come to rest is an error, such as when an activity waits for
   * a server that does not answer. Below the time limit of the test runner, or the message is never shown. @default 4000
   */
  readonly patienceMs?: number | undefined;
}

/** The clock and the persistence of the module under test. */
export interface TestModuleOptions extends TestBedOptions {
  /** The clock of the application. @default a new one, at 2026-01-01T00:00:00Z */
  readonly clock?: VirtualClock | undefined;
  /** The store of the application. @default a new MemoryPersistence */
  readonly persistence?: WorkflowPersistence | undefined;
}

/** Selects the event that a test waits for. */
export interface AwaitedEvent<Payload> {
  /** Only events of that instance. */
  readonly workflowInstanceId?: string;
  /** Predicate that the payload must satisfy. @default any payload */
  readonly where?: (payload: Payload) => boolean;
}

/** Selects the bookmark that a test waits for. Members that are left out match any bookmark. */
export interface AwaitedPlace {
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** Id of the activity in its definition. */
  readonly activityId?: string;
  /** Type name of the activity, such as `Elsa.WriteLine`. */
  readonly activityType?: string;
  /** Stimulus name; the activity type unless the activity chose another. */
  readonly name?: string;
}

const BUSY_PATIENCE_MS = 4000;
const STILL_BUSY_PATIENCE_MS = 20;
/** A message that failed is looked at again after that time. */
const RETRY_LOOK_MS = 1000;
const DUE_ROWS = 1000;

/**
 * Runs an application under test, whose time stands still until it is moved:
 *
 * ```ts
 * const bed = await WorkflowTestBed.init(Test.createTestingModule({ imports: [AppModule] }));
 * await bed.get(LeaveService).request('ada');
 * await bed.advance(3 * 24 * 3_600_000);
 * await bed.waitForStatus('ada', 'Finished');
 * await bed.close();
 * ```
 *
 * A wait is rejected as soon as the application is idle without the expected event; the error says what the instances wait for.
 * Requests that are being sent to the application cannot be seen: await their answers first.
 */
export class WorkflowTestBed {
  private constructor(
    /** The application under test. */
    readonly app: INestApplicationContext,
    /** The clock of the application. */
    readonly clock: VirtualClock,
    private readonly persistence: WorkflowPersistence,
    private readonly gate: RuntimeGate,
    private readonly events: RecordedEvents,
    private readonly idle: ApplicationIdle,
    private readonly waiting: WaitingInstances,
    private readonly patienceMs: number,
  ) {}

  /** Sets the clock and the store of a module. Compile it, create the application, then call `of`. */
  static prepare<Builder extends OverridableModuleBuilder>(
    builder: Builder,
    { clock = new VirtualClock(), persistence = new MemoryPersistence() }: TestModuleOptions = {},
  ): Builder {
    builder.overrideProvider(WorkflowClock).useValue(clock);
    builder.overrideProvider(WorkflowPersistence).useValue(persistence);
    return builder;
  }

  /** Compiles and initializes a module with a clock and a store for tests. It does not serve HTTP; for that, see `prepare`. */
  static async init(builder: OverridableModuleBuilder, options: TestModuleOptions = {}): Promise<WorkflowTestBed> {
    const module = await WorkflowTestBed.prepare(builder, options).compile();
    return WorkflowTestBed.of(await module.init(), options);
  }

  /**
   * Creates a test bed for an initialized application. It stops the polling of the application, and does its work instead.
   * @throws NoVirtualClockError (`WM9103`)
   */
  static async of(app: INestApplicationContext, options: TestBedOptions = {}): Promise<WorkflowTestBed> {
    const get = <T>(token: abstract new (...args: never[]) => T): T => app.get<T>(token as never, { strict: false });
    const clock = get(WorkflowClock);
    if (!(clock instanceof VirtualClock)) throw new NoVirtualClockError(clock.constructor.name);
    const gate = get(RuntimeGate);
    const persistence = get(WorkflowPersistence);
    const maintenance = get(RuntimeMaintenance);
    // Its rounds would overlap with those of the bed, and a move of three days would stop at each of them.
    await maintenance.stop();
    const events = new RecordedEvents(get(WorkflowEventEmitter));
    const idle = new ApplicationIdle({ clock, gate, outbox: get(OutboxProcessor), maintenance, events });
    const waiting = new WaitingInstances(persistence, get(IWorkflowDefinitionService));
    const patienceMs = options.patienceMs ?? BUSY_PATIENCE_MS;
    return new WorkflowTestBed(app, clock, persistence, gate, events, idle, waiting, patienceMs);
  }

  /**
   * Returns a provider of the application, from any module.
   * @param token its class, or the text or symbol that it is provided under
   */
  get<T = unknown>(token: (abstract new (...args: never[]) => T) | string | symbol): T {
    return this.app.get<T>(token as never, { strict: false });
  }

  /** Ends the application under test. */
  close(): Promise<void> {
    return this.app.close();
  }

  /**
   * Runs everything that can run at the current time: bursts, messages, stored stimuli, due work, and what follows from them.
   * @throws ApplicationBusyError (`WM9102`)
   */
  async runToIdle(): Promise<void> {
    if (!(await this.idle.reached(this.patienceMs)))
      throw new ApplicationBusyError(this.patienceMs, this.gate.activeBursts);
  }

  /**
   * Moves the time forward by that many milliseconds, with a stop wherever work is due or is to be retried, so that it runs at
   * its own time. Three days of waiting cost no more than the work in them. A burst that waits for a timer continues at its
   * time.
   * @throws RangeError for a negative number
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`Time can be advanced by 0 or more milliseconds, not by ${ms}.`);
    const target = this.clock.now() + ms;
    let isIdle = await this.idle.reached(PATIENCE_MS);
    while (this.clock.now() < target) {
      await this.clock.setTime(await this.nextStop(target, isIdle));
      // Who was busy before may be so for days.
      isIdle = await this.idle.reached(isIdle ? PATIENCE_MS : STILL_BUSY_PATIENCE_MS);
    }
  }

  /** As `advance`, to that time. */
  advanceTo(time: Date | string | number): Promise<void> {
    return this.advance(new Date(time).getTime() - this.clock.now());
  }

  /**
   * Waits for the earliest such event that no earlier call has returned. Events before the call count, from the creation of the
   * test bed.
   * @throws NotHappenedError (`WM9101`), ApplicationBusyError (`WM9102`)
   */
  waitForEvent<E extends WorkflowEvent>(
    event: E,
    { workflowInstanceId, where }: AwaitedEvent<WorkflowEventPayloads[E]> = {},
  ): Promise<WorkflowEventPayloads[E]> {
    const matches = (payload: WorkflowEventPayloads[E]): boolean =>
      (workflowInstanceId === undefined || concerns(payload, workflowInstanceId)) && (where?.(payload) ?? true);
    return this.awaited(
      workflowInstanceId,
      async () => this.events.take(event, matches),
      () => `there was no ${event}${workflowInstanceId === undefined ? '' : ` of "${workflowInstanceId}"`}`,
    );
  }

  /**
   * Waits for a bookmark of a running instance; returns the oldest that matches.
   * @throws NotHappenedError (`WM9101`), ApplicationBusyError (`WM9102`)
   */
  waitForBookmark(place: AwaitedPlace): Promise<AwaitedBookmark> {
    const wanted = Object.entries(place).filter(([, value]) => value !== undefined);
    return this.awaited(
      place.workflowInstanceId,
      async () => {
        const found = await this.waiting.bookmarks(place.workflowInstanceId);
        return found.find((bookmark) =>
          wanted.every(([name, value]) => bookmark[name as keyof AwaitedPlace] === value),
        );
      },
      () => `nothing waits at a bookmark with ${wanted.map(([name, value]) => `${name} "${value}"`).join(', ')}`,
    );
  }

  /**
   * Waits until the instance has that sub-status, and returns it.
   * @throws NotHappenedError (`WM9101`), ApplicationBusyError (`WM9102`), InvalidOptionError (`WM1090`) for an unknown sub-status
   */
  async waitForStatus(workflowInstanceId: string, subStatus: WorkflowSubStatus): Promise<LoadedInstance> {
    requireOneOf('waitForStatus()', 'subStatus', subStatus, Object.values(WorkflowSubStatus), 'argument');
    return this.awaited(
      workflowInstanceId,
      async () => {
        const found = await this.waiting.find(workflowInstanceId);
        return found?.subStatus === subStatus ? found : undefined;
      },
      () => `instance "${workflowInstanceId}" is not ${subStatus}`,
    );
  }

  private async awaited<T>(
    workflowInstanceId: string | undefined,
    look: () => Promise<T | undefined>,
    expected: () => string,
  ): Promise<T> {
    const isIdle = await this.idle.reached(this.patienceMs);
    const found = await look();
    if (found !== undefined) return found;
    if (!isIdle) throw new ApplicationBusyError(this.patienceMs, this.gate.activeBursts);
    const at = new Date(this.clock.now());
    throw new NotHappenedError(expected(), at, await this.waiting.describe(workflowInstanceId));
  }

  private async nextStop(target: number, isIdle: boolean): Promise<number> {
    const now = this.clock.now();
    const times = [this.clock.nextWork, ...(await this.dueTimes(new Date(target)))];
    const mayServe = isIdle && !this.gate.closedBecause;
    if (mayServe && (await this.persistence.outbox.count()).waiting > 0) times.push(now + RETRY_LOOK_MS);
    return Math.min(target, ...times.filter((time) => time !== undefined && time > now).map(Number));
  }

  private async dueTimes(until: Date): Promise<(number | undefined)[]> {
    const { bookmarks, triggers } = this.persistence;
    const rows = [...(await bookmarks.findDue(until, DUE_ROWS)), ...(await triggers.findDue(until, DUE_ROWS))];
    return rows.map(({ dueAt }) => dueAt?.getTime());
  }
}

function concerns(payload: object, instanceId: string): boolean {
  const { workflowInstanceId, workflowInstanceIds } = payload as {
    workflowInstanceId?: string;
    workflowInstanceIds?: readonly string[];
  };
  return workflowInstanceId === instanceId || (workflowInstanceIds?.includes(instanceId) ?? false);
}
