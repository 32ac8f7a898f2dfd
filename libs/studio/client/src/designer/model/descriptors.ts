import type { ActivityDescriptor, InputDescriptor } from '../../api/descriptors.js';
import type { ActivityJson } from '../../api/definitions.js';

/** The activity types of a server, by name and version. */
export class ActivityCatalogue {
  private readonly byType = new Map<string, ActivityDescriptor[]>();

  constructor(readonly all: readonly ActivityDescriptor[]) {
    for (const descriptor of all) {
      const known = this.byType.get(descriptor.typeName);
      if (known) known.push(descriptor);
      else this.byType.set(descriptor.typeName, [descriptor]);
    }
    for (const versions of this.byType.values()) versions.sort((a, b) => b.version - a.version);
  }

  /** `undefined` for a type that the server does not know. */
  of({ type, version }: ActivityJson): ActivityDescriptor | undefined {
    const versions = this.byType.get(type);
    return versions?.find((descriptor) => descriptor.version === version) ?? versions?.[0];
  }

  /** The newest of each that may be put into a workflow. */
  get choices(): ActivityDescriptor[] {
    return [...this.byType.values()].map((versions) => versions[0]!).filter(({ isBrowsable }) => isBrowsable);
  }

  /** Containers that Elsa does not list, because they are not picked there, can be picked here. */
  get containers(): ActivityDescriptor[] {
    return ['Elsa.Flowchart', 'Elsa.Sequence']
      .map((type) => this.byType.get(type)?.[0])
      .filter((descriptor) => descriptor !== undefined && !descriptor.isBrowsable) as ActivityDescriptor[];
  }
}

/** `ExpectedStatusCodes` is the member `expectedStatusCodes`. */
export const memberOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export const shownInputs = ({ inputs }: ActivityDescriptor): InputDescriptor[] =>
  inputs.filter(({ isBrowsable }) => isBrowsable !== false).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));

/** The definition that an activity runs as its content; `undefined` for others. */
export function definitionOf(descriptor: ActivityDescriptor | undefined): string | undefined {
  const properties = descriptor?.customProperties ?? {};
  const id = properties.WorkflowDefinitionId ?? properties.workflowDefinitionId;
  return typeof id === 'string' ? id : undefined;
}
