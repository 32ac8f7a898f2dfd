import { codeVersionOf, type DeploymentFacts } from '../definitions/code-version-facts.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';

/** A version that code of this node is, and that is not published. */
export interface Candidate {
  readonly declaredVersion: number | undefined;
  readonly version: number;
  /** It has never been stored. */
  readonly isNew: boolean;
}

/**
 * Whether a node publishes its version in place of the published one, which it may not know. Which of two deployments is
 * newer decides, never which node started last.
 * @param mine the deployment of this node, if it states one
 */
export function mayReplace(
  published: LoadedDefinition | undefined,
  candidate: Candidate,
  mine: DeploymentFacts | undefined,
): boolean {
  const theirs = published && codeVersionOf(published);
  // Nothing is published, or what was made by other means than code.
  if (!theirs) return true;
  if (mine && theirs.deployment) return isNewer(mine, theirs.deployment);
  if (mine) return true;
  // A node that states nothing may be one of an older build, which was restarted.
  if (theirs.deployment) return false;
  const { declaredVersion, version, isNew } = candidate;
  const stated = declaredVersion !== undefined && theirs.declaredVersion !== undefined;
  if (stated && declaredVersion !== theirs.declaredVersion) return declaredVersion > theirs.declaredVersion;
  return isNew || version > published.version;
}

function isNewer(mine: DeploymentFacts, theirs: DeploymentFacts): boolean {
  return mine.order > theirs.order || (mine.order === theirs.order && mine.id === theirs.id);
}
