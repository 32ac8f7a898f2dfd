import { ModuleSetupError } from './module-setup-error.js';

/** What this asks of a module of Nest. */
interface LoadedModule {
  readonly metatype: unknown;
  readonly instance: unknown;
}

type ModuleClass = { readonly name: string };

/** An entry of `RouterModule.register()`: by now, the path of one in another one is a whole path. */
interface Route {
  readonly path?: string;
  readonly module?: unknown;
  readonly children?: readonly (Route | ModuleClass)[];
}

/**
 * Refuses a module that `RouterModule` of Nest moves. It changes where the routes of its controllers are, and nothing else: what
 * the module does with its requests before they are routed goes by its own options. Asked of the router's instances, since of two
 * that move one module, the metadata of the class has the last one only, and the management API registers its prefix itself.
 * @param own the path that the module has by its own options
 * @param advice what to do in place of that
 * @throws ModuleSetupError (`WM1093`)
 */
export function refuseMovedRoutes(modules: Iterable<LoadedModule>, moved: unknown, advice: string, own = ''): void {
  for (const module of modules) {
    if ((module.metatype as Partial<ModuleClass> | undefined)?.name !== 'RouterModule') continue;
    const { routes } = module.instance as { routes?: unknown };
    if (!Array.isArray(routes)) continue;
    for (const [path, target] of placesIn(routes as Route[]))
      if (target === moved && namesOf(path) !== '' && namesOf(path) !== namesOf(own))
        throw new ModuleSetupError(
          (moved as ModuleClass).name,
          `is moved to "${path}" by RouterModule, which moves its routes alone: it would not find its own requests. ${advice}`,
        );
  }
}

function* placesIn(routes: readonly (Route | ModuleClass)[], parent = ''): Generator<[path: string, target: unknown]> {
  for (const route of routes) {
    if (typeof route === 'function') {
      yield [parent, route];
      continue;
    }
    const { path = parent, module, children = [] } = route as Route;
    if (module) yield [path, module];
    yield* placesIn(children, path);
  }
}

const namesOf = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '')
    .join('/');
