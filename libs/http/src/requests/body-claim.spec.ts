import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { bodyMemory } from '@waymark/runtime/adapter';
import { earlyClaim, takeClaim } from './body-claim.js';
import { HttpRequest } from './http-request.js';
import { RequestBody } from './request-body.js';

const BYTES = 100_000;
const TYPE = 'application/json';
const raw = () => ({ headers: { 'content-type': TYPE, 'content-length': String(BYTES) }, rawHeaders: [] }) as never;
const responseOf = (destroyed: boolean) =>
  Object.assign(new EventEmitter(), { destroyed }) as unknown as ServerResponse;

describe('the memory of a body', () => {
  let before: number;
  beforeEach(() => {
    before = bodyMemory.heldBytes;
  });
  afterEach(() => expect(bodyMemory.heldBytes).toBe(before));

  it('is not held for a client that left before its body was read early', () => {
    earlyClaim(raw(), responseOf(true), TYPE).hold(BYTES);
    expect(bodyMemory.heldBytes).toBe(before);
  });

  it('the memory of a body that was read early is held until the response closes, or by the endpoint that takes it', () => {
    const [unknown, known]: IncomingMessage[] = [raw(), raw()];
    const response = responseOf(false);
    for (const request of [unknown!, known!]) earlyClaim(request, response, TYPE).hold(BYTES);
    const taken = takeClaim(known!, TYPE);
    expect(bodyMemory.heldBytes).toBe(before + 2 * 6 * BYTES);
    response.emit('close');
    expect(bodyMemory.heldBytes).toBe(before + 6 * BYTES);
    taken.release();
  });

  it('is not held by a body that is read after its request is over', async () => {
    const request = new HttpRequest(raw(), '/x', undefined);
    const source = Readable.from([Buffer.from(`"${'x'.repeat(BYTES - 2)}"`)]);
    const limits = { bytes: BYTES, defaultBytes: BYTES, values: 10 };
    const body = new RequestBody(request, source, limits, () => takeClaim(request.raw, TYPE));
    body.discard();
    await body.examine({ contentType: 'Object' });
    expect(bodyMemory.heldBytes).toBe(before);
  });
});
