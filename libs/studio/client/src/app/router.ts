import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearch } from '../audit/audit-search.js';
import { deadLetterSearch } from '../dead-letters/dead-letter-search.js';
import { instanceListSearch, instanceSearch } from '../instances/instance-search.js';
import { scheduleSearch } from '../schedules/schedule-search.js';
import { taskSearch } from '../tasks/task-search.js';
import { workflowListSearch } from '../workflows/workflow-search.js';
import { config } from './config.js';
import { NotFound, PageFailed, PagePending } from './fallbacks.js';
import { loadFile } from '../parts/load-file.js';
import { parseSearch, stringifySearch, textOf } from './search-params.js';
import { Shell } from './shell.js';

// Every room is a chunk of its own, loaded when it is entered. What an address may say (validateSearch) is known before.
function room<M extends object, K extends keyof M>(importer: () => Promise<M>, name: K) {
  return lazyRouteComponent(() => loadFile(importer), name);
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: room(() => import('../home/home-page.js'), 'HomePage'),
});

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/workflows',
  validateSearch: workflowListSearch,
  component: room(() => import('../workflows/workflows-page.js'), 'WorkflowsPage'),
});

const workflow = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$definitionId',
  component: room(() => import('../designer/designer-page.js'), 'DesignerPage'),
});

const workflowVersions = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$definitionId/versions',
  component: room(() => import('../workflows/versions-page.js'), 'VersionsPage'),
});

const workflowComparison = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$definitionId/compare',
  // Numbers of versions; without them the newest two.
  validateSearch: ({ from, to }: Record<string, unknown>): { from?: string | undefined; to?: string | undefined } => ({
    from: textOf(from),
    to: textOf(to),
  }),
  component: room(() => import('../designer/compare/compare-page.js'), 'ComparePage'),
});

const workflowStanding = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$definitionId/standing',
  // The number of a version, without it the newest that has instances; and the activity that is looked at.
  validateSearch: ({
    version,
    node,
  }: Record<string, unknown>): { version?: string | undefined; node?: string | undefined } => ({
    version: textOf(version),
    node: textOf(node),
  }),
  component: room(() => import('../standing/standing-page.js'), 'StandingPage'),
});

const instances = createRoute({
  getParentRoute: () => root,
  path: '/instances',
  validateSearch: instanceListSearch,
  component: room(() => import('../instances/instances-page.js'), 'InstancesPage'),
});

const instance = createRoute({
  getParentRoute: () => root,
  path: '/instances/$instanceId',
  validateSearch: instanceSearch,
  component: room(() => import('../instances/instance-page.js'), 'InstancePage'),
});

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: taskSearch,
  component: room(() => import('../tasks/tasks-page.js'), 'TasksPage'),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: scheduleSearch,
  component: room(() => import('../schedules/schedules-page.js'), 'SchedulesPage'),
});

const deadLetters = createRoute({
  getParentRoute: () => root,
  path: '/dead-letters',
  validateSearch: deadLetterSearch,
  component: room(() => import('../dead-letters/dead-letters-page.js'), 'DeadLettersPage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: auditSearch,
  component: room(() => import('../audit/audit-page.js'), 'AuditPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: room(() => import('../settings/settings-page.js'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    workflows,
    workflow,
    workflowVersions,
    workflowComparison,
    workflowStanding,
    instances,
    instance,
    tasks,
    schedules,
    deadLetters,
    audit,
    settings,
  ]),
  basepath: config.base === '' ? '/' : config.base,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  defaultPendingComponent: PagePending,
  scrollRestoration: true,
  scrollToTopSelectors: ['#content'],
  // A page is about what its address names: with another instance or workflow, everything that was opened or typed goes. A question that
  // stayed would be answered for the other one.
  defaultRemountDeps: ({ params }) => params,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
