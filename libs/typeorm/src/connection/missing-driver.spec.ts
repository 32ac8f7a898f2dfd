import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { driverFailure } from './missing-driver.js';

const notInstalled = Object.assign(new Error('SQLite package has not been found installed.'), {
  name: 'DriverPackageNotInstalledError',
});
const notFound = (name: string) => () => {
  throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- /app/main.js`), {
    code: 'MODULE_NOT_FOUND',
  });
};

describe('a driver of a database that cannot be loaded', () => {
  it.each([
    [
      'pg',
      'postgres' as const,
      notFound('pg'),
      "PostgreSQL needs the package 'pg', which is not installed. Run: npm install pg",
    ],
    [
      'mysql2',
      'mysql' as const,
      notFound('mysql2'),
      "MariaDB and MySQL need the package 'mysql2', which is not installed. Run: npm install mysql2",
    ],
    [
      'better-sqlite3',
      'sqlite' as const,
      notFound('better-sqlite3'),
      `SQLite needs Node 22.16 or later, which includes it, or the package 'better-sqlite3', which is not installed; this is Node ${process.versions.node}. Update Node, or allow the install script of the package and install it: "allowScripts": { "better-sqlite3": true } in package.json, then npm install better-sqlite3`,
    ],
    [
      'a package without its binary',
      'sqlite' as const,
      () => {
        throw new Error('Could not locate the bindings file. Tried:\n → /app/build/better_sqlite3.node');
      },
      `The package 'better-sqlite3' is installed, but cannot be loaded: Could not locate the bindings file. Its install script may not have run, or it was built for another Node. Allow it by "allowScripts": { "better-sqlite3": true } in package.json, then run: npm rebuild better-sqlite3. Node 22.16 and later need no package for SQLite.`,
    ],
    [
      'a package that lacks one of its own',
      'postgres' as const,
      notFound('pg-protocol'),
      "The package 'pg' is installed, but cannot be loaded: Cannot find module 'pg-protocol'. Install it again: npm install pg",
    ],
  ])('says what to install: %s', (_, family, load, message) => {
    expect(driverFailure(family, notInstalled, load)).toMatchObject({
      code: 'WM1058',
      name: 'DriverMissingError',
      message,
      cause: expect.any(Error),
    });
  });

  it('is not what another error is about', () => {
    const other = new Error('something else');
    expect(driverFailure('postgres', other, notFound('pg'))).toBe(other);
    expect(driverFailure('postgres', notInstalled, () => ({}))).toBe(notInstalled);
  });

  const MISSING = [
    ['postgres://u:secret@h/d', 'pg'],
    ['mysql://u:secret@h/d', 'mysql2'],
    ['sqlite:app.db', 'better-sqlite3'],
  ] as const;
  let reported: string;
  // In a process of its own, where the packages are hidden as they are from an application that has not installed them. One for all of
  // them, since it takes two seconds to begin: each driver is loaded where a persistence is made for it.
  beforeAll(() => {
    const hide = `
      const Module = require('node:module');
      const load = Module._load;
      let hidden;
      Module._load = function (name, ...others) {
        if (!name.endsWith(hidden)) return load.call(this, name, ...others);
        throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
      };
      process.getBuiltinModule = undefined;
      import('@waymark/typeorm').then(({ TypeOrmPersistence }) => {
        for (const [url, name] of ${JSON.stringify(MISSING)})
          try {
            hidden = name;
            TypeOrmPersistence.fromUrl(url);
            console.log(name, 'is there');
          } catch ({ code, message }) {
            console.log(code, message);
          }
      });`;
    reported = execFileSync(process.execPath, ['-e', hide], { encoding: 'utf8', cwd: import.meta.dirname });
  });

  it.each(MISSING)('is reported where the persistence is made: %s', (_url, name) => {
    expect(reported).toMatch(new RegExp(`^WM1058 .*npm install ${name}$`, 'm'));
    expect(reported).not.toContain('secret');
  });
});
