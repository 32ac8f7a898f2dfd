import type { WorkflowDefinition } from '@waymark/core';

/** Custom property of a stored definition that comes from code: a `CodeVersion`. */
export const CODE_PROPERTY = 'Waymark:Code';

/**
 * Custom property of a published definition that does not come from code: the `DeploymentFacts` of the node that published it. Absent where
 * that node stated no deployment.
 */
export const PUBLISHED_BY_PROPERTY = 'Waymark:PublishedBy';

/** Which deployment published a version: see the option `deployment`. */
export interface DeploymentFacts {
  readonly id: string;
  readonly order: number;
}

/** What a stored version was made from. */
export interface CodeVersion {
  /** Of the content with the text of its functions: nodes of the build before structures recognise a version by it. */
  readonly fingerprint: string;
  /** Of the content without that text; absent in rows that were stored before there were structures. */
  readonly structure?: string;
  readonly declaredVersion?: number;
  /** Version ids of the workflows used as activities, which are fixed when the version is stored. */
  readonly uses: Readonly<Record<string, string>>;
  /** What published it last; absent when that node stated no deployment. */
  readonly deployment?: DeploymentFacts;
}

export function codeVersionOf({ customProperties }: WorkflowDefinition): CodeVersion | undefined {
  return customProperties[CODE_PROPERTY] as CodeVersion | undefined;
}

/** Name of a function in stored definitions. @param hash of its source text, which says where it came from and decides nothing */
export const functionName = (place: string, hash: string): string => `${place}#${hash}`;

/** Where a function stands: `ask.requestId` for the input `requestId` of the activity `ask`. */
export function placeOf(name: string): string {
  const end = name.lastIndexOf('#');
  return end < 0 ? name : name.slice(0, end);
}

/** The definition as this deployment publishes it. What it says of another one, from which it was copied, is taken out. */
export function publishedBy<T extends Pick<WorkflowDefinition, 'customProperties'>>(
  definition: T,
  deployment: DeploymentFacts | undefined,
): T {
  const { [PUBLISHED_BY_PROPERTY]: known, ...others } = definition.customProperties;
  if (deployment) return { ...definition, customProperties: { ...others, [PUBLISHED_BY_PROPERTY]: deployment } };
  return known === undefined ? definition : { ...definition, customProperties: others };
}

/** Whether a later deployment than this one published the definition. Unknown where one of the two states none: false. */
export function isOfLaterDeployment(
  { customProperties }: Pick<WorkflowDefinition, 'customProperties'>,
  mine: DeploymentFacts | undefined,
): boolean {
  const { order } = (customProperties[PUBLISHED_BY_PROPERTY] ?? {}) as Partial<DeploymentFacts>;
  return mine !== undefined && typeof order === 'number' && order > mine.order;
}
