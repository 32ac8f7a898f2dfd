import { refuseMovedRoutes } from './refuse-moved-routes.js';

class Moved {}
class Other {}
class RouterModule {
  constructor(readonly routes: unknown) {}
}
/** Its instance is not read: that of a module without providers throws. */
const others = {
  metatype: Other,
  get instance(): never {
    throw new Error('not read');
  },
};
const refuse = (routes: unknown, own?: string) => () =>
  refuseMovedRoutes(
    [others, { metatype: RouterModule, instance: new RouterModule(routes) }],
    Moved,
    'Set its path instead.',
    own,
  );

describe('a module that is moved by RouterModule', () => {
  it.each([
    ['by itself', [{ path: '/app/', module: Moved }], '/app/'],
    ['as a class among children', [{ path: 'app', children: [Other, Moved] }], 'app'],
    [
      'below its parent',
      [{ path: 'app', module: Other, children: [{ path: '/app/inner', module: Moved }] }],
      '/app/inner',
    ],
    ['below two others', [{ path: 'a', children: [{ path: '/a/b', children: [Moved] }] }], '/a/b'],
  ])('is refused %s', (_, routes, path) => {
    expect(refuse(routes)).toThrow(
      `Moved is moved to "${path}" by RouterModule, which moves its routes alone: it would not find its own requests. Set its path instead.`,
    );
    expect(refuse(routes)).toThrow(expect.objectContaining({ code: 'WM1093' }));
  });

  it.each([
    ['another module is', [{ path: 'app', module: Other, children: [Other] }], ''],
    ['it stays at the root', [{ path: '/', children: [Moved] }], ''],
    ['it stays at its own path', [{ path: '/elsa/api', module: Moved }], 'elsa/api/'],
    ['the routes are not known', undefined, ''],
  ])('is not refused where %s', (_, routes, own) => {
    expect(refuse(routes, own)).not.toThrow();
  });
});
