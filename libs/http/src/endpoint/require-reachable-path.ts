import { mapTemplate } from '../routing/map-template.js';
import { normalizePath } from './endpoint-payload.js';
import { EndpointPathError } from './endpoint-errors.js';
import { pathOfWritten } from './written-path.js';

/**
 * Refuses a path that clients never send as it is written. They end a path at `?` and `#`, and resolve `.` and `..` before they
 * send it. What stands in braces is not looked at: `{id?}` is an optional parameter, and expressions may contain anything.
 * @throws EndpointPathError
 */
export function requireReachablePath(path: string): void {
  const normal = normalizePath(path);
  if (normal.includes('//'))
    throw new EndpointPathError(path, '"//", which no request can reach', 'Write one slash between two segments');
  const literal = withoutParameters(normal);
  if (literal.includes('?'))
    throw new EndpointPathError(
      path,
      '"?", at which the path of a request ends',
      'Leave the query out: the workflow reads it from QueryStringData; an optional parameter is written {id?}',
    );
  if (literal.includes('#'))
    throw new EndpointPathError(path, '"#", which clients never send, nor what follows it', 'Leave both out');
  const dots = withoutParameters(pathOfWritten(path))
    .split('/')
    .find((segment) => segment === '.' || segment === '..');
  if (dots !== undefined)
    throw new EndpointPathError(
      path,
      `"${dots}", which clients resolve before they send a request`,
      'Write the path that results',
    );
}

/** Each parameter as `{}`. Ends at a brace that is not closed: the parser of templates refuses it, and says why. */
const withoutParameters = (path: string): string =>
  mapTemplate(path, { literal: (text) => text, parameter: () => '{}', unclosed: () => '' });
