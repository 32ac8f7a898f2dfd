/** A layer of Express's router, as far as it is used here. */
export interface ExpressLayer {
  readonly handle: { readonly name: string };
  readonly route?: { readonly path?: unknown; _handlesMethod?(method: string): boolean };
  match?(path: string): boolean;
}

/**
 * Express takes the first route that matches, in the order of the modules; Fastify takes the most specific one. So that a
 * route of the application below the base path wins on both, the wildcard goes behind the last of them. Routes that are
 * less specific than it, such as the wildcard of a page that is served everywhere, stay where they are.
 * @param prefixes where the endpoints may be, without a slash at the end
 */
export function moveBehindOwnRoutes(stack: ExpressLayer[], prefixes: readonly string[]): void {
  const isOurs = ourRoutes(prefixes);
  const ours = stack.filter(isOurs);
  const last = stack.findLastIndex((layer) => isBelow(pathOf(layer), prefixes));
  if (ours.length === 0 || last < 0 || isOurs(stack[last]!)) return;
  const after = stack[last]!;
  for (const layer of ours) stack.splice(stack.indexOf(layer), 1);
  stack.splice(stack.indexOf(after) + 1, 0, ...ours);
}

/** Whether a request goes to a route of the application that stands before those of the endpoints, if they have any. */
export function ownRouteFinder(
  stack: readonly ExpressLayer[],
  prefixes: readonly string[],
): (method: string, path: string) => boolean {
  const own: ExpressLayer[] = [];
  const isOurs = ourRoutes(prefixes);
  for (const layer of stack) {
    if (isOurs(layer)) break;
    if (layer.route && layer.match && mayMatch(pathOf(layer), prefixes)) own.push(layer);
  }
  return (method, path) => own.some((layer) => layer.route!._handlesMethod?.(method) !== false && layer.match!(path));
}

const ourRoutes = (prefixes: readonly string[]) => {
  // At the root the endpoints have no route: a wildcard there is the application's.
  const paths = new Set(prefixes.filter((prefix) => prefix !== '').flatMap((prefix) => [prefix, `${prefix}/{*path}`]));
  return (layer: ExpressLayer): boolean => typeof layer.route?.path === 'string' && paths.has(layer.route.path);
};

const pathOf = ({ route }: ExpressLayer): string | undefined =>
  typeof route?.path === 'string' ? route.path.toLowerCase() : undefined;

const isBelow = (path: string | undefined, prefixes: readonly string[]): boolean =>
  path !== undefined && prefixes.some((prefix) => path.startsWith(`${prefix.toLowerCase()}/`));

/** What is not a text, a list or a regular expression, may match anything. */
function mayMatch(path: string | undefined, prefixes: readonly string[]): boolean {
  if (path === undefined) return true;
  const literal = /^[^:{}*()[\]?+!\\]*/.exec(path)![0];
  return prefixes.some(
    (prefix) => literal.startsWith(prefix.toLowerCase()) || prefix.toLowerCase().startsWith(literal),
  );
}
