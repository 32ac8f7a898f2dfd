import { intersects, validRange } from 'semver';
import { RefusedError } from '../refused-error.js';
import { ACCEPTED } from '../versions/versions.js';
import type { Dependencies } from './dependencies.js';

/** The other package that has to be updated along with it. */
const ALONG_WITH: Readonly<Record<string, string>> = { typeorm: '@nestjs/typeorm' };

/**
 * The package manager would refuse to install Waymark beside these, or install a second copy of them, after files had been written.
 * What names no versions, as a link or a tag, is left to it.
 * @throws RefusedError for packages of the application in versions that Waymark does not work with
 */
export function requireAccepted(present: Dependencies, packageManager: string): void {
  const wrong = Object.entries(present).flatMap(([name, range]) => {
    if (validRange(range) === null) return [];
    const missed = ACCEPTED[name]?.find((needed) => !intersects(range, needed));
    return missed === undefined ? [] : [{ name, range, missed }];
  });
  if (wrong.length === 0) return;
  const lines = wrong.map(({ name, range, missed }) => `  ${name} ${range}: Waymark needs ${missed}`);
  const names = new Set(
    wrong.flatMap(({ name }) => (present[ALONG_WITH[name] ?? ''] ? [name, ALONG_WITH[name]!] : [name])),
  );
  const command = `${packageManager} ${packageManager === 'npm' ? 'install' : 'add'} ${[...names].map((name) => `${name}@latest`).join(' ')}`;
  throw new RefusedError(
    [
      'The application has packages in versions that Waymark does not work with. Nothing was changed.',
      ...lines,
      `Update them, for example with "${command}", then run this command again.`,
    ].join('\n'),
  );
}
