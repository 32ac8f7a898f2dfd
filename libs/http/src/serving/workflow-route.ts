import type { IncomingMessage } from 'node:http';
import type { ArgumentsHost } from '@nestjs/common';
import type { EndpointRateLimit } from '../throttling/endpoint-rate-limit.js';
import type { Endpoint } from './find-endpoint.js';

/** The target of a request to a workflow, for guards, interceptors and filters of the application. */
export interface WorkflowRoute {
  /** Whether the request starts an instance, or resumes one that waits for it. */
  readonly kind: 'start' | 'resume';
  /** Logical id of the workflow definition, which all its versions share. */
  readonly definitionId: string;
  /** Id of one version of the workflow definition. */
  readonly definitionVersionId: string;
  /** Number of that version: the published one, or that of the waiting instance. */
  readonly version: number;
  /** Name of the workflow. */
  readonly name?: string;
  /** Custom properties of the definition; in code `w.customProperties({ … })`. Those of Waymark itself are left out. */
  readonly customProperties: Readonly<Record<string, unknown>>;
  /** The HTTP Endpoint. */
  readonly activity: WorkflowRouteActivity;
  /** Template as it was published, in lower case, below the base path and with a leading slash: `/orders/{id}`. */
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  /** Path parameters, with names in lower case. */
  readonly routeValues: Readonly<Record<string, unknown>>;
  /** Whether the endpoint asks for a user. */
  readonly authorize: boolean;
  /** Policy that the endpoint names; undefined: none. */
  readonly policy?: string;
  /** Rate limit that the endpoint declares; undefined: none. */
  readonly rateLimit?: EndpointRateLimit;
  /** Id of the instance that is resumed; undefined when one is started. */
  readonly workflowInstanceId?: string;
  /** Correlation id of the instance that is resumed, if it has one. */
  readonly correlationId?: string;
}

/** The endpoint that takes the request. */
export interface WorkflowRouteActivity {
  /** Id of the endpoint in its definition. */
  readonly id: string;
  /** Name of the endpoint. */
  readonly name?: string;
  /** In code the settings of `trigger(HttpEndpoint, { … }, { customProperties: { … } })`. */
  readonly customProperties: Readonly<Record<string, unknown>>;
}

/** What works routes out. */
interface RouteReader {
  routeOf(raw: RoutedRequest, request: object, response: object): Promise<WorkflowRoute | undefined>;
}

// Registered symbols: two copies of this package see the same requests.
export const ROUTES: unique symbol = Symbol.for('@waymark/http:routes');
export const ENDPOINT: unique symbol = Symbol.for('@waymark/http:endpoint');
const ROUTE: unique symbol = Symbol.for('@waymark/http:route');

/** A request to the path of workflows: what it leads to is looked up once, by who asks first. */
export type RoutedRequest = IncomingMessage & {
  [ROUTES]?: RouteReader;
  /** Absent: it was not looked up yet. */
  [ENDPOINT]?: { readonly endpoint: Endpoint | undefined | Promise<Endpoint | undefined> };
  [ROUTE]?: Promise<WorkflowRoute | undefined>;
};

/**
 * Returns the target of a request, for guards, interceptors and exception filters of the application, before and after the
 * workflow runs:
 *
 *     const route = await getWorkflowRoute(context);
 *     if (route?.customProperties.audience === 'partners') …
 *
 * The first call looks the workflow up, and the request is then served by the workflow that was found. Triggers are in memory;
 * a waiting instance is loaded from the store.
 * @returns undefined for requests to other controllers, and where no workflow is run: none is there, several match, it is the
 *   status of an earlier request, or the store is out. The client then gets the answer for that, if the guard lets it through.
 */
export function getWorkflowRoute(host: ArgumentsHost): Promise<WorkflowRoute | undefined> {
  if (host.getType() !== 'http') return Promise.resolve(undefined);
  const http = host.switchToHttp();
  const request = http.getRequest<object>();
  const raw = ('raw' in request ? request.raw : request) as RoutedRequest;
  const routes = raw[ROUTES];
  if (!routes) return Promise.resolve(undefined);
  return (raw[ROUTE] ??= routes.routeOf(raw, request, http.getResponse<object>()));
}
