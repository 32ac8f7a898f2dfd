import path from 'node:path';
import { type ExistingApplication, existingApplication } from './planning/existing-application.js';
import { planExistingApplication } from './planning/plan-existing-application.js';
import { planNewApplication } from './planning/plan-new-application.js';
import type { Plan } from './planning/plan.js';
import type { Questions } from './questions/ask.js';
import { RefusedError } from './refused-error.js';
import { parseArguments } from './settings/parse-arguments.js';
import {
  DEFAULT_ADAPTER,
  DEFAULT_DATABASE,
  DEFAULT_DIRECTORY,
  type GivenSettings,
  PACKAGE_MANAGERS,
  type PackageManager,
  type Settings,
} from './settings/settings.js';
import { packageSource } from './settings/tarballs.js';
import { USAGE } from './settings/usage.js';
import { WAYMARK_VERSION } from './versions/versions.js';
import { writePlan } from './writing/write-plan.js';

/** What the command has around it; tests give another one. */
export interface Surroundings {
  /** Folder in which it was called. */
  readonly cwd: string;
  /** Environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Such as `v20.19.0`. */
  readonly nodeVersion: string;
  /** `undefined` where no user can answer. */
  readonly questions: Questions | undefined;
  /** Writes a line for the user. */
  readonly write: (text: string) => void;
  /** Writes an error for the user. */
  readonly writeError: (text: string) => void;
  /** Installs in a folder; false when that failed. */
  readonly install: (folder: string, packageManager: PackageManager) => Promise<boolean>;
}

/**
 * Runs the command line of `create-waymark`.
 * @returns the exit code: 0, or 1 after a sentence on why nothing was done, or why packages are not installed
 */
export async function createWaymark(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const given = parseArguments(argv);
    if (given === 'help') surroundings.write(USAGE);
    else if (given === 'version') surroundings.write(`${WAYMARK_VERSION}\n`);
    else return await carryOut(given, surroundings);
    return 0;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    surroundings.writeError(`${error.message}\n`);
    return 1;
  }
}

async function carryOut(given: GivenSettings, surroundings: Surroundings): Promise<number> {
  const { cwd, write, writeError } = surroundings;
  const questions = given.yes ? undefined : surroundings.questions;
  const folder = path.resolve(cwd, given.directory ?? (await defaultDirectory(cwd, questions)));
  const app = existingApplication(folder);
  const settings = await settingsOf(given, app, surroundings);
  const plan = app ? planExistingApplication(folder, app, settings) : planNewApplication(folder, settings);

  for (const line of plan.summary) write(`${line}\n`);
  if (plan.kind === 'existing' && !given.yes) await agreed(questions);
  writePlan(plan);
  const isInstalled = given.skipInstall || (await surroundings.install(folder, settings.packageManager));
  // The next steps need the packages: after a failure they would only fail as well.
  if (isInstalled) writeNext(plan, settings, given.skipInstall, cwd, write);
  else
    writeError(
      `The files are written, but the packages are not installed: see above. Correct that, then run "${settings.packageManager} install" ` +
        `in ${folder}${plan.kind === 'new' ? '; README.md there describes the next steps.' : `. After that:\n${listed(plan.next)}`}\n`,
    );
  return isInstalled ? 0 : 1;
}

/** In the folder of an application, it is the one that is meant. */
async function defaultDirectory(cwd: string, questions: Questions | undefined): Promise<string> {
  if (isApplication(cwd)) return '.';
  return questions ? questions.directory() : DEFAULT_DIRECTORY;
}

function isApplication(folder: string): boolean {
  try {
    return existingApplication(folder) !== undefined;
  } catch {
    return false;
  }
}

async function settingsOf(
  given: GivenSettings,
  app: ExistingApplication | undefined,
  { questions: asked, environment, nodeVersion, cwd }: Surroundings,
): Promise<Settings> {
  if (app && given.adapter)
    throw new RefusedError('--adapter is for new applications: this one already has an adapter.');
  const questions = given.yes ? undefined : asked;
  const tarballs = given.tarballs === undefined ? undefined : path.resolve(cwd, given.tarballs);
  return {
    database: given.database ?? (await questions?.database()) ?? DEFAULT_DATABASE,
    adapter: given.adapter ?? (app ? undefined : await questions?.adapter()) ?? DEFAULT_ADAPTER,
    studio: given.studio ?? (await questions?.studio()) ?? true,
    packageManager: given.packageManager ?? callingPackageManager(environment),
    nodeVersion,
    sourceOf: packageSource(tarballs),
    namesAllPackages: tarballs !== undefined,
  };
}

/** Package managers say their name to what they run. */
function callingPackageManager(environment: Surroundings['environment']): PackageManager {
  const name = environment.npm_config_user_agent?.split('/')[0];
  return PACKAGE_MANAGERS.find((known) => known === name) ?? 'npm';
}

async function agreed(questions: Questions | undefined): Promise<void> {
  if (!questions)
    throw new RefusedError(
      'This would change files of an existing application: confirm with --yes. Nothing was changed.',
    );
  if (!(await questions.agrees())) throw new RefusedError('Nothing was changed.');
}

function writeNext(
  plan: Plan,
  settings: Settings,
  isToInstall: boolean,
  cwd: string,
  write: (text: string) => void,
): void {
  const place = path.relative(cwd, plan.folder);
  const steps = [
    ...(place === '' ? [] : [`cd ${place}`]),
    ...(isToInstall ? [`${settings.packageManager} install`] : []),
    ...plan.next,
  ];
  write(`\nNext:\n${listed(steps)}\n`);
}

const listed = (steps: readonly string[]): string => steps.map((step) => `  ${step}`).join('\n');
