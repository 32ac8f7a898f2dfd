import { afterAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IWorkflowRuntime } from '@waymark/runtime';
import { RUNTIME_OPTIONS, resolveRuntimeOptions, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, startNode } from '../support/runtime-node.js';

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a store that was closed: $name', (backend) => {
  afterAll(() => backend.drop());

  it('refuses reads and writes as unavailable, and serves again after it is initialized again', async () => {
    const store = await backend.create();
    await store.initialize();
    await store.close();
    await expect(store.definitions.changeCounter()).rejects.toMatchObject({ code: 'WM7014' });
    await expect(store.outbox.delete('any')).rejects.toMatchObject({ code: 'WM7014' });
    await store.initialize();
    expect(await store.outbox.delete('any')).toBe(false);
    await store.close();
  });

  it('is closed with the last of the applications that were given it', async () => {
    const store = await backend.create();
    const first = await startNode(store, { nodeName: 'first' });
    const second = await startNode(store, { nodeName: 'second' });
    await first.close();
    await second.deploy('goes-on', line('L', 'x'));
    const client = await second.get(IWorkflowRuntime).createClient();
    expect(await client.createAndRunInstance({ definition: 'goes-on' })).toMatchObject({ status: 'Finished' });
    await second.close();
    await expect(store.outbox.delete('any')).rejects.toMatchObject({ code: 'WM7014' });
  });

  it('is closed though the start of another application that was given it has failed', async () => {
    const store = await backend.create();
    const clock = new VirtualClock();
    const first = await startNode(store, { nodeName: 'first', clock });
    const options = resolveRuntimeOptions({ persistence: store, clock, nodeName: 'second' });
    // Modules that import those of Waymark start after them.
    @Module({
      imports: [WorkflowRuntimeModule.compose({ providers: [{ provide: RUNTIME_OPTIONS, useValue: options }] })],
    })
    class SecondModule {
      onModuleInit(): void {
        throw new Error('no start');
      }
    }
    const second = NestFactory.createApplicationContext(SecondModule, { logger: false, abortOnError: false });
    await expect(second).rejects.toThrow('no start');
    await first.close();
    // It might be starting still.
    expect(await store.outbox.delete('any')).toBe(false);
    await clock.advance(60_000);
    await expect(store.outbox.delete('any')).rejects.toMatchObject({ code: 'WM7014' });
  });
});
