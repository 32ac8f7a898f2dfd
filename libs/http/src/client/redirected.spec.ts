import { describe, expect, it } from '@jest/globals';
import { redirected } from './redirected.js';

const request = { method: 'POST', url: 'https://a.example/x', headers: [['Authorization', 'Bearer t']] as const };
const body = Buffer.from('secret');
const holdsSecret = (content: Uint8Array): boolean => content === body;

describe('a redirect', () => {
  it('is not followed from https to http', () => {
    expect(redirected(request, 302, 'http://a.example/x')).toBeUndefined();
    expect(redirected({ ...request, url: 'http://a.example/x' }, 302, 'https://a.example/x')).toMatchObject({
      url: 'https://a.example/x',
      method: 'GET',
      headers: [],
    });
  });

  it('is followed to another origin with content that has no secret, and without one that has', () => {
    const elsewhere = 'https://b.example/';
    expect(redirected({ ...request, body, holdsSecret }, 307, elsewhere)).toBeUndefined();
    expect(redirected({ ...request, body, holdsSecret }, 308, '/y')).toMatchObject({
      url: 'https://a.example/y',
      body,
    });
    // It becomes a GET without content.
    expect(redirected({ ...request, body, holdsSecret }, 303, elsewhere)).toMatchObject({
      method: 'GET',
      body: undefined,
    });
    const plain = Buffer.from('plain');
    expect(redirected({ ...request, body: plain, holdsSecret }, 307, elsewhere)).toMatchObject({ body: plain });
    expect(redirected({ ...request, body }, 307, elsewhere)).toMatchObject({ body, headers: [] });
  });
});
