import { expect, it } from '@jest/globals';
import {
  activity,
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  input,
  Input,
  output,
  Output,
  sequence,
  Timeout,
  setOutput,
  setVariable,
  trigger,
  Trigger,
  TriggerBase,
  variable,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import {
  BulkDispatchWorkflows,
  Event,
  type IBookmarkResumer,
  type IEventPublisher,
  type IStimulusDispatcher,
  type IStimulusSender,
  type IWorkflowCancellationService,
  type IWorkflowRuntime,
  stimulusType,
  UserTask,
  Workflow,
  type WorkflowBuilder,
  workflowEvent,
} from '@waymark/runtime';
import { DownloadHttpFile, FlowSendHttpRequest, SendHttpRequest } from '@waymark/http';
import { Cron, Delay, StartAt, Timer } from '@waymark/scheduling';

// Programs that must compile, and programs that must not: `npm run typecheck` fails at a line of the second kind that the
// compiler lets pass. Nothing here is called.

interface LeaveRequest {
  readonly id: string;
  readonly days: number;
}

@Activity({ retry: { maxAttempts: 3, delay: '5s', backoff: 'Linear' }, timeout: '2 days' })
class Book extends ActivityBase {
  @Input() requestId!: string;
  @Input() days?: number | null;
  @Input() from!: Date;
  @Output() price?: number;
  @Output() note?: string;
  constructor(readonly service: { book(id: string): void }) {
    super();
  }
  execute(): void {}
}

@Trigger()
class Arrived extends TriggerBase {
  @Input() place!: string;
  getTriggerPayloads(): unknown[] {
    return [];
  }
  execute(): void {}
}

@Workflow({ id: 'leave' })
class Leave implements WorkflowBuilder {
  readonly inputs = {
    request: input<LeaveRequest>(),
    days: input<number>({ type: 'Int32' }),
    reason: input<string>({ optional: true }),
  };
  readonly outputs = { answer: output<string>({ type: 'String' }), price: output<number>() };

  build(w: WorkflowDefinitionBuilder): void {
    const { request, days, reason } = this.inputs;
    const price = w.variable<number>('price', { type: 'Double' });
    const from = new Date(0);
    w.root([
      activity(Book, { requestId: (scope) => request.get(scope).id, days, from }, { outputs: { price } }),
      setOutput(this.outputs.answer, (scope) => reason.get(scope) ?? 'none'),
      setOutput(this.outputs.price, price),
    ]);
  }
}

@Workflow()
class Nothing implements WorkflowBuilder {
  readonly inputs = { note: input<string>({ optional: true }) };
  build(): void {}
}

@Workflow()
class Untyped implements WorkflowBuilder {
  build(): void {}
}

const Paid = workflowEvent<{ readonly orderId: string }>('Paid');
const Ping = workflowEvent<undefined>('Ping');
const Decision = stimulusType<{ readonly requestId: string }, { readonly approved: boolean }>('Decision');
const Reminder = stimulusType<string, undefined>('Reminder');
const Anything = stimulusType<string>('Anything');
const Optional = stimulusType<string, { readonly note?: string }>('Optional');
const request: LeaveRequest = { id: 'r', days: 3 };

interface Services {
  readonly runtime: IWorkflowRuntime;
  readonly events: IEventPublisher;
  readonly sender: IStimulusSender;
  readonly dispatcher: IStimulusDispatcher;
  readonly resumer: IBookmarkResumer;
  readonly cancellation: IWorkflowCancellationService;
}

export async function accepted(
  s: Services,
  w: WorkflowDefinitionBuilder,
  ctx: ActivityExecutionContext,
): Promise<void> {
  const leave = s.runtime.client(Leave);
  const handle = await leave.start({ request, days: 3 }, { correlationId: 'c', requestKey: 'k' });
  await leave.start({ request, days: 3, reason: 'sun' });
  await leave.start({ request, days: 3, reason: null });
  const given = await handle.resultOrThrow({ timeoutMs: 5 });
  given.answer satisfies string | undefined;
  given.price satisfies number | undefined;
  const result = await handle.result();
  if (result.subStatus === 'Faulted') result.incidents[0]?.message satisfies string | undefined;
  (await leave.run({ request, days: 3 }, { timeoutMs: 1 })).answer satisfies string | undefined;
  await leave.dispatch({ request, days: 3 });
  await leave.handle('id').cancel();
  await s.runtime.client(Nothing).start();
  await s.runtime.client(Nothing).start({});
  await s.runtime.client(Untyped).start({ anything: 1 });
  await s.runtime.client(Untyped).start();
  await s.events.publish(Paid, { payload: { orderId: 'o' }, correlationId: 'c' });
  await s.events.publish(Ping);
  await s.events.publish('Paid', { payload: 5 });
  await s.events.dispatch(Paid, { payload: { orderId: 'o' } });
  await s.sender.send(Decision, { requestId: 'r' }, { input: { approved: true } });
  await s.sender.send('Decision', 5);
  await s.dispatcher.dispatch(Decision, { requestId: 'r' }, { input: { approved: true } });
  await s.sender.send(Reminder, 'r');
  await s.dispatcher.dispatch(Reminder, 'r', { correlationId: 'c' });
  await s.resumer.resume(Reminder, 'r');
  await s.resumer.resume(Anything, 'r');
  await s.resumer.resume(Optional, 'r', { input: { note: 'x' } });
  await s.resumer.resume(Optional, 'r', {});
  await s.resumer.resume(Decision, { requestId: 'r' }, { input: { approved: true } });
  await s.resumer.resume(Book, { requestId: 'r' }, { input: { any: 1 } });
  await s.cancellation.cancel('id');
  await s.cancellation.cancel(['id']);
  ctx.createBookmark(Decision.bookmark({ requestId: 'r' }, (c) => c.input.approved satisfies boolean));
  const at = w.variable<Date>('at', { type: 'DateTimeOffset' });
  const from = w.variable('from', { default: new Date(0) });
  const price = w.variable<number | null>('price2', { type: 'Int32' });
  activity(Book, { requestId: 'r', from }, { outputs: { price } });
  activity(Book, { requestId: 'r', from: '2030-01-31' });
  trigger(StartAt, { dateTime: '2030-01-31T08:00:00+01:00' });
  trigger(StartAt, { dateTime: '2030-01-31 08:00' });
  trigger(StartAt, { dateTime: new Date(0) });
  activity(StartAt, { dateTime: () => new Date(0) });
  activity(Book, { requestId: 'r', from: at });
  trigger(Arrived, { place: 'x' });
  trigger('Elsa.Event', { eventName: 'x' });
  activity(Delay, { timeSpan: 5000 });
  activity(Delay, { timeSpan: '3 days' });
  activity(Delay, { timeSpan: () => 5000 });
  activity(Delay, { timeSpan: w.variable<string>('span', { type: 'TimeSpan' }) });
  activity(Delay, { timeSpan: w.variable<number>('ms', { type: 'Int32' }) });
  trigger(Timer, { interval: 5000 });
  activity(Timeout, { timeSpan: 5000 });
  activity(UserTask, { taskName: 'check', dueIn: 5000 });
  w.variable<LeaveRequest>('row', { type: 'ObjectDictionary' });
  w.variable<string[]>('texts', { type: 'String[]' });
  w.variable<'a' | 'b'>('one', { type: 'String' });
  variable<number>('local', { type: 'Int64' });
  sequence([], { variables: [variable<string>('text', { type: 'TimeSpan' })] });
}

export async function clients(s: Services): Promise<void> {
  const leave = s.runtime.client(Leave);
  // @ts-expect-error -- 1 inputs are missing
  await leave.start();
  // @ts-expect-error -- 2 one is missing
  await leave.start({ request });
  // @ts-expect-error -- 3 one is of another type
  await leave.start({ request, days: '3' });
  // @ts-expect-error -- 4 a member of one is of another type
  await leave.start({ request: { id: 'r', days: 'x' }, days: 3 });
  // @ts-expect-error -- 5 not declared
  await leave.start({ request, days: 3, day: 3 });
  // @ts-expect-error -- 6 an optional one of another type
  await leave.start({ request, days: 3, reason: 5 });
  // @ts-expect-error -- 7 a required one is no null
  await leave.start({ request, days: null });
  // @ts-expect-error -- 8 no such option
  await leave.start({ request, days: 3 }, { correlation: 'c' });
  // @ts-expect-error -- 9 a run takes the same
  await leave.run({ request });
  // @ts-expect-error -- 10 a dispatch, too
  await leave.dispatch({ days: 3 });
  // @ts-expect-error -- 11 what cannot wait in the outbox
  await leave.dispatch({ request, days: 3 }, { signal: new AbortController().signal });
  // @ts-expect-error -- 12 no such output
  void (await leave.handle('i').resultOrThrow()).total;
  // @ts-expect-error -- 13 an output of another type
  (await leave.handle('i').resultOrThrow()).answer satisfies number | undefined;
  // @ts-expect-error -- 14 it may be missing
  (await leave.handle('i').resultOrThrow()).answer satisfies string;
  // @ts-expect-error -- 15 an ended instance does not wait
  (await leave.handle('i').result()).subStatus satisfies 'Suspended';
  // @ts-expect-error -- 16 a time-out is a number of milliseconds
  await leave.handle('i').result({ timeoutMs: '5s' });
  // @ts-expect-error -- 17 not declared, of a workflow that needs nothing
  await s.runtime.client(Nothing).start({ text: 'x' });
  // @ts-expect-error -- 18 no workflow
  s.runtime.client(Book);
  // @ts-expect-error -- 19 a class is wanted, not an id
  s.runtime.client('leave');
  // @ts-expect-error -- 20 cancels by id
  await s.cancellation.cancel(5);
}

export async function stimuli(s: Services, ctx: ActivityExecutionContext): Promise<void> {
  // @ts-expect-error -- 21 the payload is missing
  await s.events.publish(Paid);
  // @ts-expect-error -- 22 the payload is of another type
  await s.events.publish(Paid, { payload: { order: 'o' } });
  // @ts-expect-error -- 23 a payload where there is none
  await s.events.publish(Ping, { payload: 5 });
  // @ts-expect-error -- 24 a dispatch takes the same
  await s.events.dispatch(Paid, { payload: { orderId: 5 } });
  // @ts-expect-error -- 25 live objects do not wait in the outbox
  await s.events.dispatch(Paid, { payload: { orderId: 'o' }, transient: [] });
  // @ts-expect-error -- 26 not what the stimulus is matched by
  await s.sender.send(Decision, { request: 'r' });
  // @ts-expect-error -- 27 not what it brings
  await s.sender.send(Decision, { requestId: 'r' }, { input: { approved: 'yes' } });
  // @ts-expect-error -- 28 a dispatch takes the same
  await s.dispatcher.dispatch(Decision, { requestId: 5 });
  // @ts-expect-error -- 29 a resume, too
  await s.resumer.resume(Decision, { requestId: 'r' }, { input: { ok: true } });
  // @ts-expect-error -- 30 no stimulus is missing
  await s.resumer.resume(Decision);
  // @ts-expect-error -- 31 a bookmark waits for the same
  ctx.createBookmark(Decision.bookmark({ id: 'r' }));
  // @ts-expect-error -- 32 and its callback gets what comes
  ctx.createBookmark(Decision.bookmark({ requestId: 'r' }, (c) => c.input.accepted));
}

export function workflows(w: WorkflowDefinitionBuilder): void {
  const text = w.variable<string>('text');
  const from = new Date(0);
  // @ts-expect-error -- 33 required inputs are missing
  activity(Book);
  // @ts-expect-error -- 34 one is missing
  activity(Book, { requestId: 'r' });
  // @ts-expect-error -- 35 a constant of another type
  activity(Book, { requestId: 'r', from: 'today' });
  // @ts-expect-error -- 36 null for what is always there
  activity(Book, { requestId: null, from });
  // @ts-expect-error -- 37 a variable of another type
  activity(Book, { requestId: 'r', from, days: text });
  // @ts-expect-error -- 38 no such input
  activity(Book, { requestId: 'r', from, nights: 2 });
  // @ts-expect-error -- 39 an output bound to a variable of another type
  activity(Book, { requestId: 'r', from }, { outputs: { price: text } });
  // @ts-expect-error -- 40 no such output
  activity(Book, { requestId: 'r', from }, { outputs: { cost: text } });
  // @ts-expect-error -- 41 no trigger
  trigger(Book, { requestId: 'r', from });
  // @ts-expect-error -- 42 an input of a trigger is missing
  trigger(Arrived);
  // @ts-expect-error -- 43 a type that is not that of its values
  w.variable<number>('n', { type: 'String' });
  // @ts-expect-error -- 44 nor this one
  w.variable<Date>('d', { type: 'Int32' });
  // @ts-expect-error -- 45 a default of another type
  w.variable<number>('m', { default: 'x' });
  // @ts-expect-error -- 46 an input of a workflow
  w.input<boolean>('flag', { type: 'Double' });
  // @ts-expect-error -- 47 an output of a workflow
  w.output<string>('out', { type: 'Boolean' });
  // @ts-expect-error -- 48 of a class that is not that of its values
  w.variable<LeaveRequest>('row', { type: Arrived });
  // @ts-expect-error -- 49 not what the variable holds
  setVariable(text, 5);
  // @ts-expect-error -- 50 not what the output takes
  setOutput(output<number>(), 'x');
  // @ts-expect-error -- 51 the root of a workflow lacks an input
  w.root(Book, { requestId: 'r' });
  // @ts-expect-error -- 52 a declared input of another type
  input<number>({ type: 'String' });
  // @ts-expect-error -- 53 nothing but declared inputs
  w.inputs({ days: 5 });
}

export async function needed(s: Services): Promise<void> {
  // @ts-expect-error -- 60 a resume without what it brings
  await s.resumer.resume(Decision, { requestId: 'r' });
  // @ts-expect-error -- 61 options without what it brings
  await s.resumer.resume(Decision, { requestId: 'r' }, { workflowInstanceId: 'i' });
  // @ts-expect-error -- 62 sent without it
  await s.sender.send(Decision, { requestId: 'r' });
  // @ts-expect-error -- 63 dispatched without it
  await s.dispatcher.dispatch(Decision, { requestId: 'r' });
  // @ts-expect-error -- 64 no time to wait
  activity(Delay, {});
  // @ts-expect-error -- 65 nor here
  activity(Delay);
  // @ts-expect-error -- 66 no interval
  trigger(Timer, {});
  // @ts-expect-error -- 67 no time span
  activity(Delay, { timeSpan: new Date(0) });
  // @ts-expect-error -- 68 no expression
  trigger(Cron, {});
  // @ts-expect-error -- 69 no time
  activity(StartAt, {});
  // @ts-expect-error -- 70 no name
  activity(Event, {});
}

export function decorators(): void {
  // @ts-expect-error -- 54 attempts are counted in numbers
  Activity({ retry: { maxAttempts: '3' } });
  // @ts-expect-error -- 55 the number of attempts is missing
  Activity({ retry: { delay: '5s' } });
  // @ts-expect-error -- 56 no such growth
  Activity({ retry: { maxAttempts: 3, backoff: 'Slow' } });
  // @ts-expect-error -- 57 no such member
  Activity({ retry: { maxAttempts: 3, jitter: true } });
  // @ts-expect-error -- 59 a timeout is a time span or a number of milliseconds
  Activity({ timeout: { minutes: 5 } });
  // @ts-expect-error -- 58 a version is a number
  Workflow({ version: '1' });
}

/** What an activity gives or keeps is not asked of those who use it. */
function needsInputsOnly(): void {
  activity(DownloadHttpFile, { url: 'https://example.com/a' });
  activity(FlowSendHttpRequest, { url: 'https://example.com/a' });
  activity(SendHttpRequest, { url: 'https://example.com/a' });
  activity(BulkDispatchWorkflows, { workflowDefinitionId: 'price', items: [1] });
}

it('is checked by the compiler', () => {
  expect([accepted, clients, stimuli, workflows, needed, needsInputsOnly, decorators]).toHaveLength(7);
});
