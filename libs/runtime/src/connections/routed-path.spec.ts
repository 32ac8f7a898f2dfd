import { routedPath } from './routed-path.js';

describe('the path of a request', () => {
  it.each([
    ['/elsa/api/x?y=%ZZ', '/elsa/api/x'],
    ['/elsa/%61pi/x', '/elsa/api/x'],
    ['/elsa/%61pi/x?y=%ZZ', '/elsa/api/x'],
    ['http://host/elsa/api?x', '/elsa/api'],
    ['HTTPS://host:1/a#b', '/a'],
    ['http://host', ''],
    ['/a%2fb', '/a%2fb'],
    ['/%ZZ/%61', '/%ZZ/%61'],
    ['*', '*'],
  ])('%s is %s, as routers read it', (url, path) => expect(routedPath(url)).toBe(path));
});
