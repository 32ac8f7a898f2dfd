import { type OpenApiOperation } from '@waymark/runtime';
import { OPEN_API_METHODS } from '@waymark/runtime/adapter';
import { describeEndpoint, type EndpointFacts } from './describe-endpoint.js';
import { type DescribedPath, describePaths, renamedAs, shapeOfPath } from './describe-path.js';
import { STATUS_OPERATIONS } from './endpoint-components.js';

/** Puts operations under paths. */
export class PathCollector {
  readonly paths: Record<string, Record<string, OpenApiOperation>> = {};
  /** Endpoints for which OpenAPI has no word, or whose path another one has. */
  omitted = 0;
  private readonly known = new Map<string, string>();
  private readonly ids = new Set<string>();

  constructor(private readonly prefix: string) {}

  add(facts: EndpointFacts, template: string): void {
    const { method } = facts.payload;
    const isKnown = OPEN_API_METHODS.some((name) => name === method);
    let isShown = false;
    for (const described of isKnown ? pathsOf(template) : []) {
      const found = this.place(described);
      const item = (this.paths[found.path] ??= {});
      if (item[method]) continue;
      item[method] = describeEndpoint(facts, found, this.idFor(facts));
      isShown = true;
    }
    if (!isShown) this.omitted++;
  }

  addStatus(): void {
    for (const [path, get] of Object.entries(STATUS_OPERATIONS)) this.paths[this.prefix + path] = { get };
  }

  private place(described: DescribedPath): DescribedPath {
    const own = { ...described, path: `${this.prefix}${described.path}`.replace(/(.)\/$/, '$1') };
    const shape = shapeOfPath(own.path);
    const known = this.known.get(shape);
    if (known === undefined) this.known.set(shape, own.path);
    return renamedAs(known ?? own.path, own);
  }

  private idFor({ trigger, payload }: EndpointFacts): string {
    const base = `${payload.method}-${trigger.workflowDefinitionId}-${trigger.activityId}`.replaceAll(/[^\w-]+/g, '-');
    let id = base;
    for (let i = 2; this.ids.has(id); i++) id = `${base}-${i}`;
    this.ids.add(id);
    return id;
  }
}

/** None for a template that is not served either. */
function pathsOf(template: string): DescribedPath[] {
  try {
    return describePaths(template);
  } catch {
    return [];
  }
}
