import type { ActivityJson } from '../api/definitions.js';

/** An HTTP endpoint of a workflow, as far as it is known before it runs. */
export interface Endpoint {
  readonly id: string;
  /** Where the activity stands: ids are unique in their container only. */
  readonly nodeId?: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** Another one for each activity, and for each path that it has waited at. */
export const keyOfEndpoint = ({ id, nodeId = id, path }: Endpoint): string => `${nodeId} ${path}`;

/** Those that are known, and those of them that are new. */
export function withNew(known: readonly Endpoint[], found: readonly Endpoint[]): readonly Endpoint[] {
  const keys = new Set(known.map(keyOfEndpoint));
  const added = found.filter((endpoint) => !keys.has(keyOfEndpoint(endpoint)));
  return added.length > 0 ? [...known, ...added] : known;
}

export interface EndpointRequest {
  readonly method: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: string;
  readonly contentType: string;
  readonly body: string;
}

const ENDPOINT = 'Elsa.HttpEndpoint';

/** All endpoints below an activity whose paths are written down: others are computed when they run. */
export function endpointsOf(root: unknown): Endpoint[] {
  const found: Endpoint[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return undefined;
    const activity = value as ActivityJson;
    const path = activity.type === ENDPOINT ? literalOf(activity.path) : undefined;
    if (typeof path === 'string') found.push({ id: activity.id, path, methods: methodsOf(activity) });
    return Object.values(value).forEach(visit);
  };
  visit(root);
  return found;
}

function methodsOf(activity: ActivityJson): string[] {
  const given = literalOf(activity.supportedMethods);
  const methods = typeof given === 'string' ? parsed(given) : given;
  return Array.isArray(methods) && methods.length > 0 ? methods.map(String) : ['GET'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function literalOf(input: unknown): unknown {
  const { expression } = (input ?? {}) as { expression?: { type?: string; value?: unknown } };
  return expression?.type === 'Literal' || expression?.type === 'Object' ? expression.value : undefined;
}

/** Names of the parameters of a path: `orders/{id:int}/{*rest}` has `id` and `rest`. */
export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{\**([^}:?=]+)[^}]*\}/g)].map(([, name]) => name!.trim());

/** Where the application says that it is, if it was not told: seen from another machine, that is another server. */
const UNTOLD = 'http://localhost:3000/';

/**
 * Where paths of endpoints begin, with a slash at the end. @param told by the server, if it has endpoints @param origin of this page, whose
 * server has them as well
 */
export function endpointBase(told: string | null, origin: string): string {
  if (told === null) return `${origin}/workflows/`;
  return told.startsWith(UNTOLD) ? `${origin}/${told.slice(UNTOLD.length)}` : told;
}

/** @param base with a slash at the end */
export function urlOf(base: string, path: string, { parameters, query }: EndpointRequest): string {
  const filled = path.replaceAll(/\{(\**)([^}:?=]+)[^}]*\}/g, (_, stars: string, name: string) => {
    const value = parameters[name.trim()] ?? '';
    return stars === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  const question = query.trim().replace(/^\?/, '');
  return `${base}${filled.replace(/^\//, '')}${question === '' ? '' : `?${question}`}`;
}

export const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** The same request, for a POSIX shell. */
export function curlLine(url: string, { method, contentType, body }: EndpointRequest): string {
  const words = ['curl', '-i', ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]), quoted(url)];
  if (hasBody(method) && body !== '')
    words.push('-H', quoted(`Content-Type: ${contentType}`), '--data-raw', quoted(body));
  return words.join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
