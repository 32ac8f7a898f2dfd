import type { StoredTrigger } from '@waymark/runtime';
import type { HttpEndpointPayload } from '../endpoint/endpoint-payload.js';
import type { RequestPath } from './request-path.js';
import { isParameter, type RouteTemplate } from './route-template.js';
import { type TemplateMatch, TemplateRouter } from './template-router.js';

/** One method of one path: what a request to it may start or resume. */
export interface Route {
  /** Template as in payloads: its hash finds triggers and bookmarks. */
  readonly path: string;
  readonly method: string;
  /** Set when the template has no parameters: the decoded path it stands for. */
  readonly literal?: string;
  triggers: readonly StoredTrigger[];
  /** Instances of any node wait here, or did: the store has the last word. */
  isShared: boolean;
}

/** Routes of one method. Literal paths need no router. */
export class MethodRoutes {
  private readonly byPath = new Map<string, Route>();
  private readonly literals = new Map<string, Route>();
  private readonly templates = new Map<Route, RouteTemplate>();
  /** Undefined until the first look-up: start-up need not wait for it. */
  private router: TemplateRouter<Route> | undefined;

  get(path: string): Route | undefined {
    return this.byPath.get(path);
  }

  /** Adds a route that is not there yet. */
  open({ path, method }: HttpEndpointPayload, template: RouteTemplate): Route {
    const literal = literalKey(template);
    const route: Route = { path, method, literal, triggers: [], isShared: false };
    this.byPath.set(path, route);
    if (literal !== undefined) this.literals.set(literal, route);
    else {
      this.templates.set(route, template);
      this.router?.add(template, route);
    }
    return route;
  }

  /** Removes a route that leads nowhere. */
  close(route: Route): void {
    if (!isEmpty(route)) return;
    this.byPath.delete(route.path);
    if (route.literal !== undefined) {
      // Another text may stand for the same path.
      if (this.literals.get(route.literal) === route) this.literals.delete(route.literal);
    } else {
      this.templates.delete(route);
      this.router?.remove(route);
    }
  }

  find(path: RequestPath): TemplateMatch<Route> | undefined {
    const literal = this.literals.get(path.key);
    return literal ? { value: literal, routeValues: {} } : this.templateRouter().find(path);
  }

  *findAll(path: RequestPath): Generator<TemplateMatch<Route>> {
    const literal = this.literals.get(path.key);
    if (literal) yield { value: literal, routeValues: {} };
    yield* this.templateRouter().all(path);
  }

  private templateRouter(): TemplateRouter<Route> {
    if (!this.router) {
      this.router = new TemplateRouter<Route>();
      for (const [route, template] of this.templates) this.router.add(template, route);
    }
    return this.router;
  }
}

const isEmpty = ({ triggers, isShared }: Route): boolean => triggers.length === 0 && !isShared;

/** The path that a template without parameters stands for. */
function literalKey({ segments }: RouteTemplate): string | undefined {
  const texts: string[] = [];
  for (const segment of segments) {
    const [part] = segment;
    if (segment.length !== 1 || !part || isParameter(part)) return undefined;
    texts.push(part.literal);
  }
  return `/${texts.join('/')}`;
}
