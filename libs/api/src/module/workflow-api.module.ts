import { AnswerMemory } from '../answers/answer-memory.js';
import { AnswerReaders } from '../answers/answer-readers.js';
import { ShownValues } from '../answers/hides-secrets.js';
import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import {
  refuseClassImport,
  requireAsyncOptions,
  requireFactoryResult,
  requireOptionsObject,
} from '@waymark/core/adapter';
import { WORKFLOW_MODULE } from '@waymark/runtime/adapter';
import { ActivityExecutions } from '../activity-executions/activity-executions.js';
import { StatedInputs } from '../activity-executions/stated-inputs.js';
import { CallStacks } from '../activity-executions/call-stacks.js';
import { ActivityExecutionsController } from '../activity-executions/activity-executions.controller.js';
import { ActivityTestsController } from '../activity-tests/activity-tests.controller.js';
import { RuntimeAdministrationController } from '../administration/runtime-administration.controller.js';
import { AlterationsController } from '../alterations/alterations.controller.js';
import { ApiUrlSigner } from '../bookmarks/api-url-signer.js';
import { AuditController } from '../audit/audit.controller.js';
import { AuditedActions } from '../audit/audited-actions.js';
import { RefusalBudget } from '../audit/refusal-budget.js';
import { RequestAudit } from '../audit/request-audit.js';
import { BookmarkResumeController } from '../bookmarks/bookmark-resume.controller.js';
import { DeadLettersController } from '../bookmarks/dead-letters.controller.js';
import { InstanceBookmarksController } from '../bookmarks/instance-bookmarks.controller.js';
import { OutboxDeadLettersController } from '../bookmarks/outbox-dead-letters.controller.js';
import { TokenService } from '../bookmarks/token-service.js';
import { AlterationRequests } from '../alterations/alteration-requests.js';
import { BulkAnswers } from '../bulk/bulk-answers.js';
import { BulkPlansController } from '../bulk/bulk-plans.controller.js';
import { DeadLetterBulkController } from '../bulk/dead-letter-bulk.controller.js';
import { DefinitionAnswers } from '../definitions/definition-answers.js';
import { DefinitionBulkController } from '../definitions/definition-bulk.controller.js';
import { DefinitionContexts } from '../definitions/definition-contexts.js';
import { DefinitionDeletionController } from '../definitions/definition-deletion.controller.js';
import { DefinitionDrafts } from '../definitions/definition-drafts.js';
import { DefinitionFiles } from '../definitions/definition-files.js';
import { DefinitionExportController } from '../definitions/definition-export.controller.js';
import { DefinitionGraphController } from '../definitions/definition-graph.controller.js';
import { DefinitionImportController } from '../definitions/definition-import.controller.js';
import { DefinitionPublishingController } from '../definitions/definition-publishing.controller.js';
import { DefinitionQueriesController } from '../definitions/definition-queries.controller.js';
import { DefinitionTrees } from '../definitions/definition-tree.js';
import { EditableDefinitions } from '../definitions/editable-definitions.js';
import { ActivityDescriptorsController } from '../descriptors/activity-descriptors.controller.js';
import { DescriptorsController } from '../descriptors/descriptors.controller.js';
import { EventLinks } from '../events/event-links.js';
import { EventsController } from '../events/events.controller.js';
import { DispatchController } from '../execution/dispatch.controller.js';
import { ExecuteController } from '../execution/execute.controller.js';
import { WorkflowResponses } from '../execution/workflow-responses.js';
import { FeaturesController } from '../features/features.controller.js';
import { ConnectionTokens } from '../hub/connection-tokens.js';
import { HubAccess } from '../hub/hub-access.js';
import { HubConnections } from '../hub/hub-connections.js';
import { HubRequests } from '../hub/hub-requests.js';
import { LongPolling } from '../hub/long-polling.js';
import { NodeStatisticsReader } from '../hub/node-statistics-reader.js';
import { HubWebSockets } from '../hub/web-sockets.js';
import { Authenticator } from '../identity/authenticator.js';
import { ClosedApiWarning } from '../identity/closed-api-warning.js';
import { IdentityController } from '../identity/identity.controller.js';
import { UsersController } from '../identity/users.controller.js';
import { InstanceCancellationController } from '../instances/instance-cancellation.controller.js';
import { InstanceTransferController } from '../instances/instance-transfer.controller.js';
import { InstanceVariablesController } from '../instances/instance-variables.controller.js';
import { InstancesController } from '../instances/instances.controller.js';
import { JournalController } from '../instances/journal.controller.js';
import { LiveChanges } from '../live/live-changes.js';
import { LiveEventsController } from '../live/live-events.controller.js';
import { LiveFeed } from '../live/live-feed.js';
import { LiveOperations } from '../live/live-operations.js';
import { ManagementOpenApi } from '../openapi/management-open-api.js';
import { RouteDocument } from '../openapi/route-document.js';
import { OpenApiController } from '../openapi/open-api.controller.js';
import { FaultedInstances } from '../operations/fault-places.js';
import { OperationsController } from '../operations/operations.controller.js';
import { ApiPath } from '../requests/api-path.js';
import { ApiRoutes } from '../requests/api-routes.js';
import { ApiRequestMount } from '../requests/request-mount.js';
import { UnknownRoutes } from '../requests/unknown-routes.js';
import { ResilienceController } from '../resilience/resilience.controller.js';
import { SchedulesController } from '../schedules/schedules.controller.js';
import { ScriptingController } from '../scripting/scripting.controller.js';
import { StimuliController } from '../stimuli/stimuli.controller.js';
import { TasksController } from '../tasks/tasks.controller.js';
import { TaskPersons } from '../user-tasks/user-task-identity.js';
import { UserTasksController } from '../user-tasks/user-tasks.controller.js';
import {
  API_EXTRAS,
  ASYNC_OPTION_NAMES,
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './api-module-definition.js';
import { JournalValues } from '../instances/journal-values.js';
import { API_OPTION_KINDS } from './api-option-kinds.js';
import { API_OPTIONS, resolveApiOptions, type WorkflowApiExtras, type WorkflowApiOptions } from './api-options.js';

/**
 * The management REST API. Needs the workflow runtime, which is global.
 *
 * On Fastify, create the adapter with `new FastifyAdapter({ routerOptions: { caseSensitive: false,
 * ignoreTrailingSlash: true } })`: clients of Elsa use paths in any casing and with a trailing slash. Express accepts both by
 * default. For clients in browsers call `app.enableCors({ methods: API_METHODS, exposedHeaders: API_EXPOSED_HEADERS })`.
 *
 * @example WorkflowApiModule.forRoot({ authentication: { apiKeys: [process.env.API_KEY!] } })
 */
@Module({
  imports: [DiscoveryModule],
  // On Express the first matching route wins: those with fixed names stand before those with parameters.
  controllers: [
    IdentityController,
    UsersController,
    FeaturesController,
    ActivityDescriptorsController,
    DescriptorsController,
    DefinitionGraphController,
    DefinitionBulkController,
    DefinitionImportController,
    DefinitionExportController,
    DefinitionPublishingController,
    DefinitionDeletionController,
    ExecuteController,
    DispatchController,
    DefinitionQueriesController,
    JournalController,
    InstanceVariablesController,
    InstanceBookmarksController,
    InstanceTransferController,
    InstanceCancellationController,
    BulkPlansController,
    DeadLetterBulkController,
    InstancesController,
    ActivityExecutionsController,
    BookmarkResumeController,
    DeadLettersController,
    OutboxDeadLettersController,
    LiveEventsController,
    EventsController,
    StimuliController,
    TasksController,
    UserTasksController,
    SchedulesController,
    ActivityTestsController,
    ResilienceController,
    ScriptingController,
    AlterationsController,
    RuntimeAdministrationController,
    OperationsController,
    AuditController,
    OpenApiController,
  ],
  providers: [
    // First: what would fail next names a service of the runtime, and not the module that is missing.
    { provide: 'WorkflowApiModule', inject: [WORKFLOW_MODULE], useFactory: () => true },
    // `forRoot` replaces these two: they are reached where the class itself is imported.
    { provide: MODULE_OPTIONS_TOKEN, useFactory: () => refuseClassImport('WorkflowApiModule') },
    { provide: API_EXTRAS, useValue: {} },
    {
      provide: API_OPTIONS,
      inject: [MODULE_OPTIONS_TOKEN, API_EXTRAS],
      useFactory: (options: WorkflowApiOptions, extras: WorkflowApiExtras) =>
        resolveApiOptions(requireFactoryResult('WorkflowApiModule', options), extras),
    },
    ApiPath,
    EventLinks,
    ApiRequestMount,
    ApiRoutes,
    UnknownRoutes,
    Authenticator,
    ClosedApiWarning,
    TokenService,
    ApiUrlSigner,
    DefinitionContexts,
    DefinitionAnswers,
    DefinitionDrafts,
    DefinitionFiles,
    EditableDefinitions,
    DefinitionTrees,
    WorkflowResponses,
    ActivityExecutions,
    StatedInputs,
    CallStacks,
    JournalValues,
    AlterationRequests,
    BulkAnswers,
    TaskPersons,
    ShownValues,
    AnswerMemory,
    AnswerReaders,
    LiveChanges,
    LiveOperations,
    FaultedInstances,
    LiveFeed,
    ConnectionTokens,
    HubAccess,
    NodeStatisticsReader,
    HubConnections,
    LongPolling,
    HubRequests,
    HubWebSockets,
    RequestAudit,
    AuditedActions,
    RefusalBudget,
    { provide: ManagementOpenApi, useClass: RouteDocument },
  ],
  exports: [TokenService, ManagementOpenApi],
})
export class WorkflowApiModule extends ConfigurableModuleClass implements NestModule {
  /**
   * Configures the module with static options. By default, the API is closed.
   * @throws InvalidOptionError (`WM1090`) for options that are not an object; at start also UnknownOptionError (`WM1091`),
   * and OptionConflictError (`WM1092`); where `WorkflowModule` is missing, Nest's error says so
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    requireOptionsObject('WorkflowApiModule.forRoot()', options);
    return super.forRoot(options);
  }

  /**
   * Configures the module with options from a factory, which can inject providers; give `routePrefix` beside the factory.
   * @throws InvalidOptionError (`WM1090`) without `useFactory`, `useClass` or `useExisting`, UnknownOptionError (`WM1091`) for
   *   an unknown name; at start also what `forRoot` throws
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    requireAsyncOptions('WorkflowApiModule.forRootAsync()', options, ASYNC_OPTION_NAMES, API_OPTION_KINDS);
    return super.forRootAsync(options);
  }

  constructor(private readonly requests: ApiRequestMount) {
    super();
  }

  /** Called by Nest: mounts the middleware of the API. */
  configure(): void {
    this.requests.mount();
  }
}

/** HTTP methods for the CORS settings of clients in browsers. */
export const API_METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** Response headers for the CORS settings of clients in browsers. */
export const API_EXPOSED_HEADERS = [
  'x-elsa-workflow-instance-id',
  'x-elsa-workflow-cannot-start',
  'Content-Disposition',
  'Location',
  'Retry-After',
  // Of definitions, for If-Match.
  'ETag',
  // Of workflows that answer later, and of requests that come again.
  'Preference-Applied',
  'Idempotent-Replayed',
];
