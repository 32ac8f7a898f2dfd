import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { VirtualClock } from '@waymark/testing';
import { SlowReaders } from './slow-readers.js';

const RATE = 1000;

/** A response whose client takes what the test says. */
class Response extends EventEmitter {
  destroyed = false;
  writableEnded = false;
  socket: { bytesWritten: number; writableLength: number } | null = { bytesWritten: 0, writableLength: 0 };

  get writableLength(): number {
    return this.socket?.writableLength ?? 0;
  }
  write(bytes: number): this {
    this.socket!.bytesWritten += bytes;
    this.socket!.writableLength += bytes;
    return this;
  }
  end(): this {
    this.writableEnded = true;
    return this;
  }
  take(bytes: number): void {
    this.socket!.writableLength -= bytes;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('clients that read slowly', () => {
  let clock: VirtualClock;
  let readers: SlowReaders;
  beforeEach(() => {
    clock = new VirtualClock();
    readers = new SlowReaders(clock, RATE);
  });
  afterEach(() => expect([readers.size, clock.pending]).toEqual([0, []]));
  const watched = (response = new Response()) => {
    readers.watch(response as unknown as ServerResponse);
    return response;
  };

  it('clients that read slowly are disconnected at the end that the length of the answer sets, however often they take a byte', async () => {
    const response = watched(new Response().write(100_000).end());
    for (let passed = 0; passed < 130_000; passed += 5_000) {
      await clock.advance(5_000);
      expect([passed, response.destroyed]).toEqual([passed, false]);
      response.take(1);
    }
    await clock.advance(5_000);
    expect(response.destroyed).toBe(true);
  });

  it('clients that read slowly are not watched when the application has ended, so that a process or a test runner can end as well', () => {
    watched(new Response().write(100_000));
    readers.close();
    watched(new Response().write(100_000));
    expect([readers.size, clock.pending]).toEqual([0, []]);
  });

  it('may take as long as the answer takes to be made', async () => {
    const response = watched();
    for (let n = 0; n < 20; n++) {
      await clock.advance(60_000);
      response.write(10).take(10);
    }
    expect(response.destroyed).toBe(false);
    response.write(10);
    await clock.advance(40_000);
    expect(response.destroyed).toBe(true);
  });

  it('may read a stream for as long as they keep up', async () => {
    const response = watched();
    response.write(50_000);
    for (let n = 0; n < 100; n++) {
      response.write(10_000).take(10_000);
      await clock.advance(10_000);
    }
    expect(response.destroyed).toBe(false);
    // As much again, and half as fast.
    for (let n = 0; n < 100; n++) {
      response.write(10_000).take(10_000);
      await clock.advance(20_000);
    }
    expect(response.destroyed).toBe(true);
  });

  it('clients that read slowly are not watched once they have read everything, or have disconnected', async () => {
    watched(new Response().end());
    expect(readers.size).toBe(0);
    const [left, slow] = [watched(new Response().write(10)), watched(new Response().write(10))];
    left.destroy();
    expect(readers.size).toBe(1);
    slow.take(10);
    slow.end();
    await clock.advance(5_000);
    expect([readers.size, slow.destroyed]).toEqual([0, false]);
  });

  it('clients that read slowly are disconnected from the first on where all of them together take too much memory', async () => {
    readers = new SlowReaders(clock, RATE, 100_000);
    const [first, second, third] = [40_000, 40_000, 40_000].map((bytes) => watched(new Response().write(bytes).end()));
    expect([first, second, third].map((response) => response!.destroyed)).toEqual([true, false, false]);
    second!.take(40_000);
    const [small, large] = [watched(new Response().write(1000)), watched(new Response().write(500_000))];
    // The one that was read is not in the way.
    expect([second, third, small, large].map((response) => response!.destroyed)).toEqual([false, true, true, false]);
    const growing = watched();
    growing.write(10);
    await clock.advance(5_000);
    expect([large, growing].map((response) => response!.destroyed)).toEqual([true, false]);
    growing.destroy();
  });

  it('clients that read slowly are disconnected before clients that read, however long those have been there', async () => {
    readers = new SlowReaders(clock, RATE, 100_000);
    const download = watched(new Response().write(80_000));
    await clock.advance(1000);
    download.take(60_000);
    download.write(40_000);
    const [idle, last] = [watched(new Response().write(30_000)), watched(new Response().write(30_000))];
    const all = [download, idle, last];
    expect(all.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
    for (const response of all) response.destroy();
  });

  it('clients that read slowly are not affected by a step of the clock, forwards or backwards', async () => {
    const response = watched(new Response().write(10));
    await clock.setTime(clock.now() + 3_600_000);
    expect(response.destroyed).toBe(false);
    await clock.setTime(clock.now() - 7_200_000);
    response.take(10);
    response.destroy();
  });

  it('clients that read slowly wait for their turn where answers share a connection', async () => {
    const response = new Response();
    const { socket } = response;
    response.socket = null;
    watched(response);
    await clock.advance(600_000);
    expect(response.destroyed).toBe(false);
    response.socket = socket;
    response.write(1);
    await clock.advance(40_000);
    expect(response.destroyed).toBe(true);
  });
});
