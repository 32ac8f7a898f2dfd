import { ApiError } from '../api-error.js';
import { LiveStream, type StreamQuery } from './live-stream.js';
import type { ServerEvent } from './read-events.js';

/** Timers that run when the test says so. */
class Timers {
  readonly waiting = new Map<object, { ms: number; callback: () => void }>();
  schedule = (ms: number, callback: () => void) => {
    const key = {};
    this.waiting.set(key, { ms, callback });
    return () => this.waiting.delete(key);
  };
  get pauses(): number[] {
    return [...this.waiting.values()].map(({ ms }) => ms);
  }
  run(ms: number): void {
    const [key, timer] = [...this.waiting].find(([, timer]) => timer.ms === ms)!;
    this.waiting.delete(key);
    timer.callback();
  }
}

/** One connection of a client, from the server's side. */
class Connection {
  readonly body: ReadableStream<Uint8Array>;
  private controller!: ReadableStreamDefaultController<Uint8Array>;
  constructor(
    readonly query: StreamQuery,
    readonly signal: AbortSignal,
  ) {
    this.body = new ReadableStream({ start: (controller) => void (this.controller = controller) });
    signal.addEventListener('abort', () => this.controller.error(new Error('aborted')));
  }
  send = (text: string) => this.controller.enqueue(new TextEncoder().encode(text));
  end = () => this.controller.close();
}

const READY = 'retry: 2000\nid: 7.0.0\nevent: ready\ndata: {}\n\n';

describe('live updates', () => {
  let timers: Timers;
  let refusal: ApiError | undefined;
  let stream: LiveStream;
  const connections: Connection[] = [];
  const waiting: (() => void)[] = [];
  const events: ServerEvent[] = [];
  /** Until that many connections were tried, and what they brought was read. */
  const tried = async (count: number) => {
    while (connections.length < count) await new Promise<void>((resolve) => void waiting.push(resolve));
    await drained();
    return connections[count - 1]!;
  };
  const drained = () => new Promise((resolve) => void setImmediate(resolve));

  beforeEach(() => {
    timers = new Timers();
    refusal = undefined;
    connections.length = events.length = 0;
    stream = new LiveStream({
      open: (query, signal) => {
        const connection = new Connection(query, signal);
        connections.push(connection);
        for (const resolve of waiting.splice(0)) resolve();
        return refusal ? Promise.reject(refusal) : Promise.resolve({ body: connection.body } as Response);
      },
      schedule: timers.schedule,
      random: () => 1,
    });
    stream.listen((event) => void events.push(event));
  });
  afterEach(() => stream.stop());

  it('live updates start when the server confirms them, however its text is split into chunks', async () => {
    stream.start();
    const connection = await tried(1);
    connection.send(READY.slice(0, 20));
    await drained();
    expect(stream.isOn).toBe(false);
    connection.send(READY.slice(20));
    connection.send('event: instance-changed\ndata: {"id":"ä"}\n\n: heartbeat\n\n');
    await drained();
    expect(stream.isOn).toBe(true);
    expect(events).toEqual([
      { name: 'ready', data: { isFresh: true } },
      { name: 'instance-changed', data: { id: 'ä' } },
    ]);
  });

  it('live updates continue after the last event that was read, when the connection is lost', async () => {
    stream.start();
    const first = await tried(1);
    first.send(`${READY}id: 9.1.0\n\n`);
    await drained();
    first.end();
    await drained();
    expect(stream.isOn).toBe(false);
    timers.run(1_000);
    const second = await tried(2);
    expect(second.query).toEqual({ lastEventId: '9.1.0' });
    second.send(READY);
    await drained();
    expect(stream.isOn).toBe(true);
    expect(events.at(-1)).toEqual({ name: 'ready', data: { isFresh: false } });
  });

  it('live updates are retried with growing pauses while the server is gone, and after Retry-After when it is full', async () => {
    refusal = new ApiError({ status: 0 });
    stream.start();
    await tried(1);
    for (const [count, ms] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      expect(timers.pauses).toEqual([ms]);
      timers.run(ms);
      await tried(count + 2);
    }
    refusal = new ApiError({ status: 503, retryAfterSeconds: 7 });
    timers.run(30_000);
    await tried(9);
    expect(timers.pauses).toEqual([7_000]);
  });

  it('live updates do not retry an API that has none', async () => {
    refusal = new ApiError({ status: 404 });
    stream.start();
    await tried(1);
    expect([stream.isOn, timers.pauses]).toEqual([false, [300_000]]);
    stream.stop();
    expect(timers.pauses).toEqual([]);
  });

  it('live updates notice a silent connection', async () => {
    stream.start();
    const connection = await tried(1);
    connection.send(READY);
    await drained();
    timers.run(45_000);
    await drained();
    expect([connection.signal.aborted, stream.isOn]).toEqual([true, false]);
    timers.run(1_000);
    await tried(2);
  });

  it('live updates are asked for again where the request for them is not answered', async () => {
    const asked: AbortSignal[] = [];
    const unanswered = new LiveStream({
      open: (_query, signal) => {
        asked.push(signal);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
      schedule: timers.schedule,
      random: () => 1,
    });
    unanswered.start();
    timers.run(45_000);
    await drained();
    expect(asked[0]!.aborted).toBe(true);
    timers.run(1_000);
    await drained();
    expect(asked).toHaveLength(2);
    unanswered.stop();
    await drained();
    expect(timers.pauses).toEqual([]);
  });

  it('live updates are of what is followed, with one more connection when a page leaves and another comes', async () => {
    stream.start();
    (await tried(1)).send(READY);
    await drained();
    const leave = stream.follow(['a']);
    timers.run(0);
    const second = await tried(2);
    expect(second.query).toEqual({ lastEventId: '7.0.0', workflowInstanceId: ['a'] });
    expect([connections[0]!.signal.aborted, stream.isOn]).toEqual([true, true]);
    second.send(READY);
    leave();
    stream.follow(['b', 'c']);
    timers.run(0);
    const third = await tried(3);
    expect(third.query.workflowInstanceId).toEqual(['b', 'c']);
    expect(timers.pauses.filter((ms) => ms === 0)).toEqual([]);
  });

  it('live updates are of everything where more is followed than the server follows', async () => {
    stream.follow(Array.from({ length: 51 }, (_, index) => `i${index}`));
    stream.start();
    expect((await tried(1)).query).toEqual({});
  });

  it('live updates tell apart a server that is gone from one that has no live updates', async () => {
    const told: (number | undefined)[] = [];
    stream.watch(() => void told.push(stream.outage?.status));
    refusal = new ApiError({ status: 0 });
    stream.start();
    await tried(1);
    expect(told).toEqual([0]);
    refusal = new ApiError({ status: 404 });
    timers.run(1000);
    await tried(2);
    expect(told).toEqual([0, undefined]);
    expect(stream.isOn).toBe(false);
  });
});
