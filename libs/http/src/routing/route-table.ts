import { Injectable } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { BookmarkPattern, StoredBookmark, StoredTrigger } from '@waymark/runtime';
import { HTTP_ENDPOINT, type HttpEndpointPayload, readEndpointPayload } from '../endpoint/endpoint-payload.js';
import { MethodRoutes, type Route } from './method-routes.js';
import { parseRequestPath } from './request-path.js';
import { parseTemplate } from './route-template.js';
import type { TemplateMatch } from './template-router.js';

export type RouteMatch = TemplateMatch<Route>;

/**
 * Which paths lead to which triggers, and at which templates instances wait. Derived from the stored rows (W6).
 *
 * 1. A look-up costs the same with ten routes and with a hundred thousand.
 * 2. A trigger is served without asking the store; for bookmarks the table only knows that some are there or were: the
 *    store decides. It does not know literal paths at which instances wait: there may be one for each of a million, and the store
 *    finds them by their hash.
 * 3. A change costs the same with ten routes and with a hundred thousand: it changes the table in place.
 */
@Injectable()
export class RouteTable {
  private readonly logger = new WorkflowLogger('RouteTable');
  private readonly methods = new Map<string, MethodRoutes>();
  private readonly triggers = new Map<string, StoredTrigger>();
  /** By definition id, then by trigger id. */
  private readonly triggersOf = new Map<string, Map<string, StoredTrigger>>();
  private shared = new Set<Route>();
  /** Those that came since the last `setPatterns`: what that was given may have been read before they were committed. */
  private readonly fresh = new Set<Route>();
  private changes = 0;
  private hasWarnedOfCosts = false;

  /** Number of changes of the triggers. */
  get revision(): number {
    return this.changes;
  }

  /** The most specific route. @param method in any casing @param path below the base path, without the query */
  find(method: string, path: string): RouteMatch | undefined {
    const parsed = parseRequestPath(path);
    const found = parsed && this.methods.get(method.toLowerCase())?.find(parsed);
    if (parsed?.steps.isSpent) this.warnOfCosts();
    return found;
  }

  /** All routes that match, most specific first. */
  findAll(method: string, path: string): Iterable<RouteMatch> {
    const parsed = parseRequestPath(path);
    return (parsed && this.methods.get(method.toLowerCase())?.findAll(parsed)) ?? [];
  }

  /** Triggers that are known, e.g. to look for one that competes with another. */
  listTriggers(): Iterable<StoredTrigger> {
    return this.triggers.values();
  }

  /** True when the trigger of that id is served, as this node has read it. */
  has(id: string): boolean {
    return this.triggers.has(id);
  }

  /** Replaces triggers by these. @param definitionIds those of these definitions only; default: all */
  setTriggers(current: readonly StoredTrigger[], definitionIds?: readonly string[]): void {
    const kept = new Set(current.map((trigger) => trigger.id));
    const known = definitionIds
      ? definitionIds.flatMap((id) => [...(this.triggersOf.get(id)?.values() ?? [])])
      : [...this.triggers.values()];
    this.removeTriggers(known.filter((trigger) => !kept.has(trigger.id)));
    this.addTriggers(current);
  }

  /** Adds triggers; those with other names are left out, and one with a known id is replaced. */
  addTriggers(added: readonly StoredTrigger[]): void {
    for (const trigger of added) {
      if (trigger.name !== HTTP_ENDPOINT) continue;
      const known = this.triggers.get(trigger.id);
      if (known && known.hash !== trigger.hash) this.removeTriggers([known]);
      const route = this.open(trigger.payload);
      if (!route) continue;
      if (known !== trigger) this.changes++;
      this.remember(trigger);
      route.triggers = [...route.triggers.filter((t) => t.id !== trigger.id), trigger];
    }
  }

  /** Forgets triggers. */
  removeTriggers(removed: readonly StoredTrigger[]): void {
    for (const { id } of removed) {
      const trigger = this.triggers.get(id);
      if (!trigger) continue;
      this.changes++;
      this.forget(trigger);
      const { routes, route } = this.locate(trigger.payload) ?? {};
      if (!routes || !route) continue;
      route.triggers = route.triggers.filter((t) => t.id !== id);
      routes.close(route);
    }
  }

  private remember(trigger: StoredTrigger): void {
    const { id, workflowDefinitionId } = trigger;
    this.triggers.set(id, trigger);
    const others = this.triggersOf.get(workflowDefinitionId);
    if (others) others.set(id, trigger);
    else this.triggersOf.set(workflowDefinitionId, new Map([[id, trigger]]));
  }

  private forget({ id, workflowDefinitionId }: StoredTrigger): void {
    this.triggers.delete(id);
    const others = this.triggersOf.get(workflowDefinitionId);
    others?.delete(id);
    if (others?.size === 0) this.triggersOf.delete(workflowDefinitionId);
  }

  /** Adds templates at which instances wait. Bookmarks with other names are left out. */
  addPatterns(added: readonly Pick<StoredBookmark, 'name' | 'payload'>[]): void {
    for (const { name, payload } of added) {
      const route = name === HTTP_ENDPOINT ? this.open(payload) : undefined;
      if (!route) continue;
      route.isShared = true;
      this.shared.add(route);
      this.fresh.add(route);
    }
  }

  /** Replaces the patterns at which instances of any node may wait by these. */
  setPatterns(patterns: readonly BookmarkPattern[]): void {
    const before = this.shared;
    this.shared = new Set(this.fresh);
    this.addPatterns(patterns);
    this.fresh.clear();
    for (const route of before) {
      if (this.shared.has(route)) continue;
      route.isShared = false;
      this.methods.get(route.method)?.close(route);
    }
  }

  /** The route of a payload, made if it is new; undefined for one that cannot be served. */
  private open(stored: unknown): Route | undefined {
    const payload = readEndpointPayload(stored);
    if (!payload) return undefined;
    const known = this.locate(payload)?.route;
    if (known) return known;
    try {
      return this.routesOf(payload).open(payload, parseTemplate(payload.path));
    } catch (error) {
      this.logger.warn(`Route ${payload.method.toUpperCase()} ${payload.path} is ignored. ${(error as Error).message}`);
      return undefined;
    }
  }

  private locate(stored: unknown): { routes: MethodRoutes; route: Route } | undefined {
    const payload = readEndpointPayload(stored);
    const routes = payload && this.methods.get(payload.method);
    const route = routes?.get(payload!.path);
    return routes && route && { routes, route };
  }

  private warnOfCosts(): void {
    if (this.hasWarnedOfCosts) return;
    this.hasWarnedOfCosts = true;
    this.logger.warn(
      'The path of a request was not matched against all endpoints, because that would have taken too long: too many of them ' +
        'differ only in the regular expressions of one segment. Let their paths begin with different words.',
    );
  }

  private routesOf({ method }: HttpEndpointPayload): MethodRoutes {
    let routes = this.methods.get(method);
    if (!routes) this.methods.set(method, (routes = new MethodRoutes()));
    return routes;
  }
}
