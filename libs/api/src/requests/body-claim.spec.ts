import { bodyMemory } from '@waymark/runtime/adapter';
import { bodyClaim, openBody } from './body-claim.js';
import type { HttpRequest } from './http-request.js';

const request = (): HttpRequest => ({ headers: {}, url: '/' });
const BYTES = 100_000;

describe('the memory of a body', () => {
  let before: number;
  beforeEach(() => {
    before = bodyMemory.heldBytes;
  });
  afterEach(() => expect(bodyMemory.heldBytes).toBe(before));

  it('is held until the request is handled', () => {
    const handled = request();
    const end = openBody(handled);
    bodyClaim(handled).hold(BYTES);
    bodyClaim(handled).hold(2 * BYTES);
    expect(bodyMemory.heldBytes).toBe(before + 6 * 2 * BYTES);
    end();
  });

  it('is not held by reads after that, and only for requests to the API', () => {
    const handled = request();
    openBody(handled)();
    bodyClaim(handled).hold(BYTES);
    expect(bodyMemory.heldBytes).toBe(before);
    expect(() => bodyClaim(request())).toThrow('only while the request is handled');
  });
});
