import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { RuntimeGate } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';

describe.each(ADAPTERS)('a shutdown on %s', (adapter) => {
  it('does not wait longer than a second for a body that is sent byte by byte', async () => {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const { app } = await ApiServer.start(adapter, {}, { clock });
    const timers = clock.pending.length;
    const socket = connect(Number(new URL(await app.getUrl()).port), '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    const closed = once(socket, 'close');
    const head =
      'POST /elsa/api/workflow-definitions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{';
    socket.write(head);
    while (clock.pending.length === timers) await setImmediate();
    const closing = app.close();
    while (app.get(RuntimeGate).closedBecause !== 'draining') await setImmediate();
    socket.write(' ');
    await clock.advance(1000);
    await closed;
    const answer = Buffer.concat(parts).toString();
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain('WM3005');
    await closing;
  });
});
