import type { Settings } from '../settings/settings.js';
import { NEST_11_VERSIONS, VERSIONS } from '../versions/versions.js';

/** Dependencies of a manifest by name. */
export type Dependencies = Readonly<Record<string, string>>;

/** Node brings SQLite from here on. */
const NODE_WITH_SQLITE = [22, 16] as const;

/** Whether SQLite needs a package of its own on this Node. */
export function needsSqlitePackage({ database, nodeVersion }: Pick<Settings, 'database' | 'nodeVersion'>): boolean {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  const [since, sinceMinor] = NODE_WITH_SQLITE;
  return database === 'sqlite' && (major < since || (major === since && minor < sinceMinor));
}

/** What an application with workflows needs besides Nest itself. */
export function workflowDependencies(settings: Settings, nestMajor: 11 | 12): Dependencies {
  const versions = nestMajor === 11 ? { ...VERSIONS, ...NEST_11_VERSIONS } : VERSIONS;
  const names = [
    ...['core', 'runtime', 'http', 'nestjs', 'typeorm'],
    ...(settings.namesAllPackages ? ['expressions', 'scheduling'] : []),
    ...(settings.studio ? ['api', 'studio'] : []),
  ].map((name) => `@waymark/${name}`);
  return {
    '@nestjs/event-emitter': versions['@nestjs/event-emitter'],
    '@nestjs/schedule': versions['@nestjs/schedule'],
    ...Object.fromEntries(names.map((name) => [name, settings.sourceOf(name)])),
    ...(settings.database === 'mysql' ? { mysql2: versions.mysql2 } : {}),
    ...(settings.database === 'postgres' ? { pg: versions.pg } : {}),
    ...(needsSqlitePackage(settings) ? { 'better-sqlite3': versions['better-sqlite3'] } : {}),
    'reflect-metadata': versions['reflect-metadata'],
    rxjs: versions.rxjs,
    typeorm: versions.typeorm,
  };
}

/** What its tests, and the schematics of the Nest CLI, need besides. */
export const workflowDevDependencies = (settings: Settings): Dependencies => ({
  '@waymark/schematics': settings.sourceOf('@waymark/schematics'),
  '@waymark/testing': settings.sourceOf('@waymark/testing'),
});

/** In the order in which package managers write them. */
export const sorted = (dependencies: Dependencies): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
