import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { RefusedError } from '../refused-error.js';
import type { Settings } from '../settings/settings.js';
import { environmentFile, JEST_CONFIG, mainFile, specFile } from '../templates/application-files.js';
import { appModule, EXAMPLE_URLS } from '../templates/module-files.js';
import {
  environmentExample,
  GITIGNORE,
  manifestFile,
  nestCliFile,
  readmeFile,
  tsconfigBuildFile,
  tsconfigFile,
} from '../templates/project-files.js';
import { orderWorkflow, priceOrderActivity } from '../templates/workflow-files.js';
import type { Plan } from './plan.js';

/** What npm takes as a name, without scopes. */
const PACKAGE_NAME = /^[a-z\d][a-z\d._-]{0,213}$/;

/**
 * The files of a new application.
 * @throws RefusedError when the name of the folder cannot be the name of a package
 */
export function planNewApplication(folder: string, settings: Settings): Plan {
  const name = path.basename(folder).toLowerCase().replace(/\s+/g, '-');
  if (!PACKAGE_NAME.test(name) || name === 'node_modules')
    throw new RefusedError(
      `"${path.basename(folder)}" cannot be the name of a package: name the folder with letters, digits and hyphens.`,
    );
  const created = new Map([
    ['package.json', manifestFile(name, settings)],
    ['tsconfig.json', tsconfigFile()],
    ['tsconfig.build.json', tsconfigBuildFile()],
    ['nest-cli.json', nestCliFile()],
    ['jest.config.js', JEST_CONFIG],
    ['.gitignore', GITIGNORE],
    ['.env.example', environmentExample(settings)],
    ['.env', environmentExample(settings, randomBytes(24).toString('base64url'))],
    ...(settings.packageManager === 'yarn' ? ([['.yarnrc.yml', 'nodeLinker: node-modules\n']] as const) : []),
    ['README.md', readmeFile(name, settings)],
    ['src/main.ts', mainFile(settings)],
    ['src/environment.ts', environmentFile(settings)],
    ['src/app.module.ts', appModule(settings)],
    ['src/orders/order.workflow.ts', orderWorkflow('.js')],
    ['src/orders/order.workflow.spec.ts', specFile(settings)],
    ['src/orders/price-order.activity.ts', priceOrderActivity()],
  ]);
  const needsServer = settings.database !== 'sqlite';
  return {
    folder,
    kind: 'new',
    created,
    changed: new Map(),
    summary: [`creates ${created.size} files in ${folder}`],
    next: [
      ...(needsServer ? [`write DATABASE_URL into .env: ${EXAMPLE_URLS[settings.database]}`] : []),
      `${settings.packageManager} start`,
      `${settings.packageManager} test`,
    ],
  };
}
