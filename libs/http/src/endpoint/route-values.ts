import { inAnyCasing } from '@waymark/core/adapter';
import { parseRequestPath } from '../routing/request-path.js';
import { parseTemplate } from '../routing/route-template.js';
import { type RouteValues, variantsOf } from '../routing/template-variant.js';
import { withAlias } from '../requests/multi-map.js';
import { pathOfWritten } from './written-path.js';

/**
 * Values for an endpoint that is run with no route found for it, as from a management API.
 * @param path of the request it stands for, with the base path; anything but text: none
 */
export function routeValuesFor(template: string, path: unknown, basePath: string): RouteValues {
  if (typeof path !== 'string') return {};
  const isBelow = path.toLowerCase().startsWith(`${basePath.toLowerCase()}/`);
  const parsed = parseRequestPath(isBelow ? path.slice(basePath.length) : path);
  if (!parsed) return {};
  for (const variant of variantsOf(parseTemplate(pathOfWritten(template)))) {
    const values = variant.match(parsed.segments);
    if (values) return values;
  }
  return {};
}

/** Values by the lower-case names of the route; expressions read them in any casing, code by the template's names as well. */
export function withOriginalNames(values: RouteValues, template: string | null): RouteValues {
  if (Object.keys(values).length === 0) return values;
  const names = new Map(
    [...(template ?? '').matchAll(/\{\**([^:=?*/{}]+)/g)].map(([, name]) => [name!.toLowerCase(), name!]),
  );
  return inAnyCasing(withAlias(values, (name) => names.get(name) ?? name) as RouteValues);
}
