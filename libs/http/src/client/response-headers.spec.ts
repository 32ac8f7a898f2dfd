import { ResponseHeaders } from './response-headers.js';

describe('ResponseHeaders', () => {
  it.each(['__proto__', 'constructor', 'toString', 'x-request'])('keeps the values of a header %s', (name) => {
    const { ofResponse } = new ResponseHeaders([name, '1', 'content-type', 'text/plain', name, '2']);
    expect(Object.entries(ofResponse)).toEqual([[name, ['1', '2']]]);
    expect(Object.getPrototypeOf(ofResponse)).toBe(Object.prototype);
  });
});
