import { Inject, Injectable } from '@nestjs/common';
import { bookmarkHash } from '@waymark/core/adapter';
import {
  WorkflowEngine,
  WorkflowPersistence,
  type BookmarkFilter,
  type StoredBookmark,
  type StoredTrigger,
} from '@waymark/runtime';

import {
  asksForUser,
  hashInputOf,
  HTTP_ENDPOINT,
  type HttpEndpointPayload,
  normalizePath,
  readEndpointPayload,
} from '../endpoint/endpoint-payload.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import type { IdempotentStart } from '../idempotency/idempotent-starts.js';
import { readStatusPath, type RequestToken, type StatusTarget } from '../pending/request-token.js';
import type { HttpRequest } from '../requests/http-request.js';
import { selectId } from '../requests/request-ids.js';
import { parseRequestPath } from '../routing/request-path.js';
import { type RouteMatch, RouteTable } from '../routing/route-table.js';
import type { RouteValues } from '../routing/template-variant.js';
import { EndpointWaits } from './endpoint-waits.js';

/** Of more instances that wait for one request, the answer names no more. */
const MOST_TOLD = 100;

/** Ids that a request carries. */
export interface RequestIds {
  readonly workflowInstanceId?: string;
  readonly correlationId?: string;
}

/** An instance that waits for the request. */
export interface Resumable {
  readonly kind: 'resume';
  readonly bookmark: StoredBookmark;
  readonly payload: HttpEndpointPayload;
  readonly routeValues: RouteValues;
  /** Of a request that the instance keeps already. */
  readonly token?: RequestToken;
}

/** A workflow that the request starts. */
export interface Startable {
  readonly kind: 'start';
  readonly trigger: StoredTrigger;
  readonly payload: HttpEndpointPayload;
  readonly routeValues: RouteValues;
  /** By the key of the request. */
  readonly once?: IdempotentStart;
}

/** A workflow or an instance, as an ambiguous call names it. */
export type Named = Readonly<Record<string, string>>;

/** What a request leads to. */
export type Endpoint =
  | Startable
  | Resumable
  | {
      readonly kind: 'ambiguous';
      /** Those that are open to all callers. */
      readonly open: readonly Named[];
      /** Those that are not, by what admits to them, with one of each: callers whom it refuses do not learn which there are. */
      readonly guarded: readonly { readonly endpoint: Startable | Resumable; readonly workflows: readonly Named[] }[];
    }
  /** The status of a request that was not answered by its burst. */
  | { readonly kind: 'status'; readonly target: StatusTarget }
  /** The store is out: what it would lead to is not known. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Finds the trigger or bookmark for a request. Triggers come from memory; bookmarks are looked up in the store. */
@Injectable()
export class EndpointFinder {
  constructor(
    private readonly routes: RouteTable,
    private readonly waits: EndpointWaits,
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  idsOf(request: HttpRequest): RequestIds {
    return {
      workflowInstanceId: selectId(this.options.instanceIdSelectors, request),
      correlationId: selectId(this.options.correlationIdSelectors, request),
    };
  }

  /**
   * Synchronous when a trigger is found, and no instance waits for requests that a template would take.
   * @param path below the base path
   */
  find(request: HttpRequest, path: string): Endpoint | undefined | Promise<Endpoint | undefined> {
    const target = readStatusPath(path);
    if (target && (request.method === 'GET' || request.method === 'HEAD')) return { kind: 'status', target };
    const best = this.routes.find(request.method, path);
    // An instance that waits at the literal path goes before a template; of those, only the store knows.
    const isSure = best?.value.literal !== undefined || this.waits.areNone;
    const found = best && isSure ? triggered(best) : undefined;
    return found ?? this.findElsewhere(request.method, path, this.idsOf(request), best);
  }

  /** Bookmarks at the literal path, then route by route, the most specific first: its trigger, or bookmarks there. */
  private async findElsewhere(
    method: string,
    path: string,
    ids: RequestIds,
    best: RouteMatch | undefined,
  ): Promise<Endpoint | undefined> {
    const literal = normalizePath(parseRequestPath(path)?.key ?? path);
    // With a brace, it would find those that wait at a template, which are found by their route.
    let isLiteralTried = literal.includes('{');
    for (const match of best ? this.matches(method, path, best) : []) {
      if (match.value.literal === undefined && !isLiteralTried) {
        isLiteralTried = true;
        const found = (await this.waits.ask()) ? await this.waiting(literal, method, ids, {}) : undefined;
        if (found) return found;
      }
      const found = triggered(match) ?? (await this.waiting(match.value.path, method, ids, match.routeValues));
      if (found) return found;
      isLiteralTried ||= match.value.path === literal;
    }
    return isLiteralTried ? undefined : this.waiting(literal, method, ids, {});
  }

  /** The best one first: it leads somewhere nearly always, and finding the others costs the more, the more templates there are. */
  private *matches(method: string, path: string, best: RouteMatch): Generator<RouteMatch> {
    yield best;
    for (const match of this.routes.findAll(method, path)) if (match.value !== best.value) yield match;
  }

  private async waiting(
    path: string,
    method: string,
    ids: RequestIds,
    routeValues: RouteValues,
  ): Promise<Endpoint | undefined> {
    const hash = bookmarkHash(this.engine.runner.engine.hash, HTTP_ENDPOINT, hashInputOf({ path, method }));
    const filter: BookmarkFilter = { hash };
    if (ids.workflowInstanceId !== undefined) filter.workflowInstanceId = ids.workflowInstanceId;
    if (ids.correlationId !== undefined) filter.correlationId = ids.correlationId;
    const found = await this.persistence.bookmarks.findMany(filter, MOST_TOLD);
    const all = found.filter((one) => !isOtherCase(one, path));
    const [bookmark, ...others] = all;
    if (!bookmark) return undefined;
    // Of a row that was damaged, the limits and policies of the endpoint are not known.
    const damaged = all.find(({ unreadable }) => unreadable);
    if (damaged?.unreadable) throw damaged.unreadable;
    if (others.length)
      return ambiguous(
        all,
        ({ workflowInstanceId }) => ({ WorkflowInstanceId: workflowInstanceId }),
        (one, payload) => ({ kind: 'resume', bookmark: one, payload, routeValues }),
      );
    const payload = readEndpointPayload(bookmark.payload);
    return payload && { kind: 'resume', bookmark, payload, routeValues };
  }
}

/** Returns true if it waits at a template with the same hash, whose constraints are other ones. */
function isOtherCase({ payload }: StoredBookmark, path: string): boolean {
  const own = readEndpointPayload(payload)?.path;
  return own !== undefined && own !== path && own.toLowerCase() === path.toLowerCase();
}

function triggered({ value: { triggers }, routeValues }: RouteMatch): Endpoint | undefined {
  const [trigger] = triggers;
  if (!trigger) return undefined;
  if (triggers.length > 1)
    return ambiguous(
      triggers,
      ({ workflowDefinitionId }) => ({ WorkflowDefinitionId: workflowDefinitionId }),
      (one, payload) => ({ kind: 'start', trigger: one, payload, routeValues }),
    );
  const payload = readEndpointPayload(trigger.payload);
  return payload && { kind: 'start', trigger, payload, routeValues };
}

function ambiguous<T extends StoredTrigger | StoredBookmark>(
  found: readonly T[],
  nameOf: (one: T) => Named,
  endpointOf: (one: T, payload: HttpEndpointPayload) => Startable | Resumable,
): Endpoint {
  const open: Named[] = [];
  const guarded = new Map<string, { endpoint: Startable | Resumable; workflows: Named[] }>();
  for (const one of found) {
    const payload = readEndpointPayload(one.payload);
    if (!payload || !asksForUser(payload)) open.push(nameOf(one));
    else {
      const guard = JSON.stringify([payload.authorize, payload.policy]);
      const same = guarded.get(guard);
      if (same) same.workflows.push(nameOf(one));
      else guarded.set(guard, { endpoint: endpointOf(one, payload), workflows: [nameOf(one)] });
    }
  }
  return { kind: 'ambiguous', open, guarded: [...guarded.values()] };
}
