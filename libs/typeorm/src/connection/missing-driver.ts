import { createRequire } from 'node:module';
import { toErrorLike } from '@waymark/core/adapter';
import { DriverMissingError } from '../errors.js';
import type { DatabaseFamily } from '../dialect/dialect.js';

/** The package that TypeORM loads for each family. */
const PACKAGES: Readonly<Record<DatabaseFamily, string>> = {
  sqlite: 'better-sqlite3',
  mysql: 'mysql2',
  postgres: 'pg',
};

const DATABASES: Readonly<Record<DatabaseFamily, string>> = {
  sqlite: 'SQLite needs',
  mysql: 'MariaDB and MySQL need',
  postgres: 'PostgreSQL needs',
};

type Load = (name: string) => unknown;

/** As TypeORM does: packages of other layouts, such as that of pnpm, are seen from there only. */
const loadBesideTypeOrm: Load = (name) => {
  const own = createRequire(import.meta.url);
  return createRequire(own.resolve('typeorm'))(name) as unknown;
};

/**
 * The error to throw in place of TypeORM's, which says "not installed" of a package that cannot be loaded as well.
 * @param error of the constructor of a data source @returns the error itself when it is about something else
 */
export function driverFailure(family: DatabaseFamily, error: unknown, load: Load = loadBesideTypeOrm): unknown {
  if (toErrorLike(error).name !== 'DriverPackageNotInstalledError') return error;
  const name = PACKAGES[family];
  try {
    load(name);
  } catch (reason) {
    const why = isMissing(name, reason) ? missing(family, name) : broken(family, name, toErrorLike(reason).message);
    return new DriverMissingError(name, why, { cause: reason });
  }
  return error;
}

const isMissing = (name: string, reason: unknown): boolean =>
  (reason as { code?: unknown }).code === 'MODULE_NOT_FOUND' && toErrorLike(reason).message.includes(`'${name}'`);

function missing(family: DatabaseFamily, name: string): string {
  const install = `Run: npm install ${name}`;
  if (family !== 'sqlite') return `${DATABASES[family]} the package '${name}', which is not installed. ${install}`;
  return (
    `${DATABASES[family]} Node 22.16 or later, which includes it, or the package '${name}', which is not installed; this is Node ` +
    `${process.versions.node}. Update Node, or allow the install script of the package and install it: ` +
    `"allowScripts": { "${name}": true } in package.json, then npm install ${name}`
  );
}

function broken(family: DatabaseFamily, name: string, reason: string): string {
  const said = `The package '${name}' is installed, but cannot be loaded: ${firstSentence(reason)}. `;
  if (family !== 'sqlite') return `${said}Install it again: npm install ${name}`;
  return (
    `${said}Its install script may not have run, or it was built for another Node. Allow it by "allowScripts": { "${name}": true } ` +
    `in package.json, then run: npm rebuild ${name}. Node 22.16 and later need no package for SQLite.`
  );
}

/** Without the list of places where it was looked for. */
const firstSentence = (text: string): string => text.split('\n', 1)[0]!.replace(/(\. Tried:|\.)$/, '');
