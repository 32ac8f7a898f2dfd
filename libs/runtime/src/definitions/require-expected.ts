import type { LoadedDefinition } from '../persistence/definition-store.js';
import { DefinitionChangedError } from '../services/definition-errors.js';
import type { ExpectedDefinition } from '../services/definition-services.js';

/**
 * Before the latest version is replaced, followed or published. The change that follows is of the same revision, so that nothing
 * comes in between.
 * @throws DefinitionChangedError
 */
export function requireExpected(
  definitionId: string,
  latest: Pick<LoadedDefinition, 'id' | 'revision'> | undefined,
  expected: ExpectedDefinition | undefined,
  what?: 'saved' | 'deleted',
): void {
  if (expected === undefined || (expected === 'any' && latest)) return;
  if (expected === 'none') {
    if (latest) throw new DefinitionChangedError(definitionId, 'created');
    return;
  }
  const isThat = ({ id, revision }: { readonly id: string; readonly revision: number }): boolean =>
    latest?.id === id && latest.revision === revision;
  if (expected === 'any' || !expected.some(isThat)) throw new DefinitionChangedError(definitionId, what);
}

/**
 * Before a version is retracted: a client may have read it as it is, or the draft above it, which stays.
 * @throws DefinitionChangedError
 */
export function requireEither(
  latest: LoadedDefinition,
  published: LoadedDefinition,
  expected: ExpectedDefinition,
): void {
  const isPublished = typeof expected !== 'string' && expected.some(({ id }) => id === published.id);
  requireExpected(published.definitionId, isPublished ? published : latest, expected);
}
