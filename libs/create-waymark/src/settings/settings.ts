/** Databases that an application can begin with. */
export const DATABASES = ['sqlite', 'mysql', 'postgres'] as const;
/** One of them. */
export type Database = (typeof DATABASES)[number];

/** HTTP adapters of Nest. */
export const ADAPTERS = ['express', 'fastify'] as const;
/** One of them. */
export type Adapter = (typeof ADAPTERS)[number];

/** Package managers that can install an application. */
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn'] as const;
/** One of them. */
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** What the command line says; what it leaves open is asked for, or has its default. */
export interface GivenSettings {
  readonly directory?: string;
  readonly database?: Database;
  readonly adapter?: Adapter;
  readonly studio?: boolean;
  readonly packageManager?: PackageManager;
  /** No questions: what is open has its default. */
  readonly yes: boolean;
  readonly skipInstall: boolean;
  /** Folder with tarballs of the packages of Waymark, to install these in place of published ones. */
  readonly tarballs?: string;
}

/** Everything that the files of an application depend on. */
export interface Settings {
  readonly database: Database;
  readonly adapter: Adapter;
  readonly studio: boolean;
  readonly packageManager: PackageManager;
  /** Version of the Node that runs: before 22.16 SQLite needs a package. */
  readonly nodeVersion: string;
  /** Where to install a package of Waymark from: its version, or the file of a tarball. */
  readonly sourceOf: (name: string) => string;
  /** If true, tarballs name one another by versions, so that all of them must be installed directly. */
  readonly namesAllPackages: boolean;
}

export const DEFAULT_DATABASE: Database = 'sqlite';
export const DEFAULT_ADAPTER: Adapter = 'express';
export const DEFAULT_DIRECTORY = 'waymark-app';
