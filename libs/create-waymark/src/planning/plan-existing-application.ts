import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { addClassToModule, findRootModule } from '@waymark/schematics';
import { RefusedError } from '../refused-error.js';
import type { Settings } from '../settings/settings.js';
import { EXAMPLE_URLS, linesByHand, workflowsModule } from '../templates/module-files.js';
import { orderWorkflow, priceOrderActivity } from '../templates/workflow-files.js';
import { workflowDependencies, workflowDevDependencies } from './dependencies.js';
import type { ExistingApplication } from './existing-application.js';
import { addDependencies } from './manifest-text.js';
import type { Plan } from './plan.js';
import { requireAccepted } from './require-accepted.js';

const CLASS = 'WorkflowsModule';

/**
 * What is added to an application: a module of its own with everything in it, which the root module imports, and packages.
 * @throws RefusedError when the root module is not understood, with the lines that a user can add instead
 */
export function planExistingApplication(folder: string, app: ExistingApplication, settings: Settings): Plan {
  requireInstalled(folder, settings);
  requireAccepted({ ...app.manifest.devDependencies, ...app.manifest.dependencies }, settings.packageManager);
  const { sourceRoot, entryFile } = nestCliOf(folder);
  const main = `${sourceRoot}/${entryFile}.ts`;
  const byHand = (what: string, problem: string) => notUnderstood(what, problem, app, settings);
  const module = rootModuleOf(folder, main, byHand);
  const moduleText = readFileSync(path.join(folder, module), 'utf8');
  if (
    /\bWorkflowModule\b/.test(moduleText) ||
    existsSync(path.join(folder, sourceRoot, 'workflows/workflows.module.ts'))
  )
    throw new RefusedError('The application already has workflows: nothing was changed.');

  const extension = importExtension(app, moduleText);
  const below = `${sourceRoot}/workflows`;
  const relative = path.posix.relative(path.posix.dirname(module), `${below}/workflows.module${extension}`);
  const from = relative.startsWith('.') ? relative : `./${relative}`;
  const edit = addClassToModule(folder, moduleText, { list: 'imports', className: CLASS, from });
  if ('problem' in edit) throw byHand(module, edit.problem);

  const manifest = addDependencies(app.manifestText, {
    dependencies: workflowDependencies(settings, app.nestMajor),
    devDependencies: workflowDevDependencies(settings),
  });
  const created = new Map([
    [`${below}/workflows.module.ts`, workflowsModule(settings, extension)],
    [`${below}/order.workflow.ts`, orderWorkflow(extension)],
    [`${below}/price-order.activity.ts`, priceOrderActivity()],
  ]);
  const existing = [...created.keys()].find((file) => existsSync(path.join(folder, file)));
  if (existing !== undefined)
    throw new RefusedError(`${existing} already exists and is not overwritten: nothing was changed.`);
  return {
    folder,
    kind: 'existing',
    created,
    changed: new Map([
      [module, { before: moduleText, after: edit.text }],
      ['package.json', { before: app.manifestText, after: manifest.text }],
    ]),
    summary: [
      ...[...created.keys()].map((file) => `creates ${file}`),
      `imports ${CLASS} in ${module}`,
      `adds to package.json: ${manifest.added.join(', ') || 'nothing'}`,
    ],
    next: [
      settings.database === 'sqlite'
        ? 'workflows are stored in waymark.db, which does not belong in Git; set WAYMARK_DATABASE_URL to use another database'
        : `set WAYMARK_DATABASE_URL: ${EXAMPLE_URLS[settings.database]}`,
      ...(settings.studio
        ? ['set WAYMARK_API_KEY to a long random text: it opens the management API and /studio']
        : []),
      ...ownDataSource(app),
      ...otherOrms(app),
      ...ownFilesToChange(app, main, readFileSync(path.join(folder, main), 'utf8')),
      `start the application, and post {"item":"tea","count":3} to /workflows/orders`,
    ],
  };
}

function ownDataSource({ manifest: { dependencies } }: ExistingApplication): string[] {
  if (!dependencies?.['@nestjs/typeorm']) return [];
  return [
    'to keep workflows in the application\'s own database, and commit with its transactions, use TypeOrmPersistence.fromDataSource(): the page "Persistence" of the documentation says how',
  ];
}

/** ORMs whose tools make the whole schema what their models are, by package. */
const ORMS: Readonly<Record<string, string>> = {
  prisma: 'Prisma',
  '@prisma/client': 'Prisma',
  'drizzle-orm': 'Drizzle',
  '@mikro-orm/core': 'MikroORM',
};

function otherOrms({ manifest: { dependencies, devDependencies } }: ExistingApplication): string[] {
  const found = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => ORMS[name] ?? []);
  return [...new Set(found)].map(
    (orm) =>
      `keep workflows in another database or schema than that of ${orm}, whose tools may drop tables that they do not know: the page "Persistence" of the documentation says how`,
  );
}

/** What the command leaves to its user: both belong to the whole application. */
function ownFilesToChange({ manifest: { jest } }: ExistingApplication, main: string, mainText: string): string[] {
  return [
    ...(mainText.includes('enableShutdownHooks')
      ? []
      : [`call app.enableShutdownHooks() in ${main}, so that running work finishes when the process is terminated`]),
    // The section that the Nest CLI writes: Jest loads no ES modules by it before Node 24.9.
    ...(jest && jest.extensionsToTreatAsEsm === undefined
      ? [
          'run tests as ES modules, those of test/ too: the packages are ES modules, and the page "Testing" of the documentation has the configuration',
        ]
      : []),
  ];
}

interface NestCli {
  readonly sourceRoot: string;
  readonly entryFile: string;
}

function nestCliOf(folder: string): NestCli {
  const defaults = { sourceRoot: 'src', entryFile: 'main' };
  const file = path.join(folder, 'nest-cli.json');
  if (!existsSync(file)) return defaults;
  let given: Partial<NestCli> & { monorepo?: boolean };
  try {
    given = JSON.parse(readFileSync(file, 'utf8')) as typeof given;
  } catch {
    throw new RefusedError('nest-cli.json is not valid JSON: nothing was changed.');
  }
  if (given.monorepo)
    throw new RefusedError(
      'This is a monorepo of the Nest CLI with several applications: nothing was changed. The page "Getting started" of the documentation has the steps by hand.',
    );
  return { sourceRoot: given.sourceRoot ?? defaults.sourceRoot, entryFile: given.entryFile ?? defaults.entryFile };
}

/** Without its packages, neither its modules can be read nor can it be said whether they are understood. */
function requireInstalled(folder: string, { packageManager }: Settings): void {
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  const isFound = (name: string): boolean => {
    try {
      return resolve(name) !== '';
    } catch {
      return false;
    }
  };
  // One of them is enough: what is missing besides is said where it is needed.
  if (['@nestjs/core', '@nestjs/cli/package.json', 'typescript'].some(isFound)) return;
  throw new RefusedError(
    `The packages of the application are not installed: run "${packageManager} install" in ${folder}, then this command again. Nothing was changed.`,
  );
}

function rootModuleOf(
  folder: string,
  entryFile: string,
  byHand: (what: string, problem: string) => RefusedError,
): string {
  const found = findRootModule(folder, entryFile);
  if ('problem' in found) throw byHand('The root module', found.problem);
  return found.file.split(path.sep).join('/');
}

/** The lines do what `workflows.module.ts` would, which has not been written: the user decides where they go. */
function notUnderstood(
  what: string,
  problem: string,
  { manifestText, nestMajor }: ExistingApplication,
  settings: Settings,
): RefusedError {
  const wanted = {
    dependencies: workflowDependencies(settings, nestMajor),
    devDependencies: workflowDevDependencies(settings),
  };
  const { added } = addDependencies(manifestText, wanted);
  const { packageManager } = settings;
  const install = `${packageManager} ${packageManager === 'npm' ? 'install' : 'add'}`;
  const commands = [
    { command: install, packages: wanted.dependencies },
    { command: `${install} -D`, packages: wanted.devDependencies },
  ].flatMap(({ command, packages }) => {
    const missing = Object.entries(packages).filter(([name]) => added.includes(name));
    return missing.length === 0 ? [] : [`  ${command} ${missing.map((one) => one.join('@')).join(' ')}`];
  });
  return new RefusedError(
    [
      `${what} cannot be changed, because ${problem}: nothing was changed. Install the packages, and add these lines to the root module yourself:`,
      '',
      ...commands,
      ...(commands.length === 0 ? [] : ['']),
      linesByHand(settings),
    ].join('\n'),
  );
}

/** As the application writes its own imports. */
function importExtension({ manifest }: ExistingApplication, moduleText: string): string {
  return manifest.type === 'module' || /from\s+['"]\.[^'"]*\.js['"]/.test(moduleText) ? '.js' : '';
}
