import type { VersionOptions, WorkflowDefinition } from './workflow-definition.js';

const NAMES = ['Latest', 'Published', 'LatestOrPublished', 'LatestAndPublished', 'Draft', 'AllVersions'] as const;

/** Reads the text form, in any casing: a name or a version number. `undefined` for anything else. */
export function parseVersionOptions(text: string): VersionOptions | undefined {
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed);
  return NAMES.find((name) => name.toLowerCase() === trimmed.toLowerCase());
}

/** True when a version is among those selected. Of several, callers take the one with the highest number. */
export function matchesVersion(
  definition: Pick<WorkflowDefinition, 'version' | 'isLatest' | 'isPublished'>,
  options: VersionOptions,
): boolean {
  switch (options) {
    case 'Latest':
      return definition.isLatest;
    case 'Published':
      return definition.isPublished;
    case 'LatestOrPublished':
      return definition.isLatest || definition.isPublished;
    case 'LatestAndPublished':
      return definition.isLatest && definition.isPublished;
    case 'Draft':
      return !definition.isPublished;
    case 'AllVersions':
      return true;
    default:
      return definition.version === options;
  }
}
