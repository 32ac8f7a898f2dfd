import { InvalidStoreOptionError } from '../errors.js';

/**
 * The URL, if the drivers can read it. Otherwise they fail with words about no URL, such as `URI malformed`.
 * @throws InvalidStoreOptionError (`WM7016`), without the URL: it may hold a password
 */
export function requireServerUrl(url: string, scheme: 'postgres' | 'mysql' | 'mariadb'): string {
  const refuse = (problem: string, expected: string): never => {
    throw new InvalidStoreOptionError('url', problem, expected);
  };
  const credentials = url.slice(0, url.lastIndexOf('@') + 1);
  // That of PostgreSQL reads it by `URL`; TypeORM, which reads the others, takes more.
  if (!isDecodable(credentials) || (scheme === 'postgres' && !URL.canParse(url)) || hasCredentialsInPath(url))
    refuse(
      'not a URL',
      `such as ${scheme}://user:password@host/database; special characters in user and password must be percent-encoded: %25 for %, %23 for #, %2F for /, %40 for @`,
    );
  // PostgreSQL would take the name of the user for it: with the user `postgres`, the tables would be in the database for maintenance.
  if (/^[a-z]+:\/\/[^/]*\/?(\?.*)?$/i.test(url) && !takesFromEnvironment(scheme))
    refuse('without the name of a database', `such as ${scheme}://user:password@host/database`);
  return url;
}

/** The driver of PostgreSQL has defaults for what is not given. */
export const takesFromEnvironment = (type: string): boolean => type === 'postgres' && Boolean(process.env.PGDATABASE);

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** After a slash in a password the rest of it would be the name of the database, which errors of the server show. */
const hasCredentialsInPath = (url: string): boolean => URL.canParse(url) && new URL(url).pathname.includes('@');
