import type { ActivityJson, WorkflowDefinition } from '../definitions/workflow-definition.js';
import { CircularWorkflowError } from '../errors/execution-errors.js';

/** Finds the definition behind a node that stands for a workflow. */
type ResolveNested = (json: ActivityJson) => WorkflowDefinition | undefined;

interface Counted {
  /** The workflow itself and all inside it, each as often as it is used. */
  readonly count: number;
  /** Definitions inside it: the way to each, by ids, without this one. */
  readonly used: ReadonlyMap<string, readonly string[]>;
}

/**
 * Numbers of workflows by what they use. Each version is looked through once, however often it is used: of workflows that use the one before
 * them twice, each further one would take twice as long, and the thirtieth would take hours.
 */
export class WorkflowCounts {
  private readonly known = new Map<string, Counted>();

  constructor(private readonly resolveNested: ResolveNested) {}

  /** @param chain the definitions around it, itself included @throws CircularWorkflowError */
  of(definition: WorkflowDefinition, chain: readonly WorkflowDefinition[]): number {
    return this.counted(definition, chain).count;
  }

  private counted(definition: WorkflowDefinition, chain: readonly WorkflowDefinition[]): Counted {
    const known = this.known.get(definition.id);
    if (known) {
      for (const { definitionId } of chain.slice(0, -1))
        if (known.used.has(definitionId)) throw circle(chain, known.used.get(definitionId)!);
      return known;
    }
    let count = 1;
    const used = new Map<string, readonly string[]>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (Array.isArray(value)) return value.forEach(visit);
      const inner = this.resolveNested(value as ActivityJson);
      if (inner) {
        const { definitionId } = inner;
        if (chain.some((around) => around.definitionId === definitionId)) throw circle(chain, [definitionId]);
        const counted = this.counted(inner, [...chain, inner]);
        count += counted.count;
        used.set(definitionId, [definitionId]);
        for (const [id, way] of counted.used) if (!used.has(id)) used.set(id, [definitionId, ...way]);
      }
      for (const member of Object.values(value)) if (typeof member === 'object') visit(member);
    };
    visit(definition.root);
    const counted = { count, used };
    this.known.set(definition.id, counted);
    return counted;
  }
}

/** @param way from the last of the chain to the definition that closes the circle: what stands before that one is not in it */
function circle(chain: readonly WorkflowDefinition[], way: readonly string[]): CircularWorkflowError {
  const ids = [...chain.map(({ definitionId }) => definitionId), ...way];
  return new CircularWorkflowError(ids.slice(ids.indexOf(way.at(-1)!)));
}
