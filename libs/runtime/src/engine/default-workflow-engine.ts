import { Inject, Injectable, Optional } from '@nestjs/common';
import { type ExpressionHandler } from '@waymark/core';
import {
  ActivityRegistry,
  builtinExpressions,
  createDefaultTypeRegistry,
  ExpressionRegistry,
  registerCoreActivities,
  type TypeRegistry,
  WorkflowRunner,
} from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { EXPRESSION_HANDLERS, RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { NamedSecrets } from '../secrets/named-secrets.js';
import { secretExpression } from '../secrets/secret-expression.js';
import { SignedUrls } from '../urls/signed-urls.js';
import { createIdGenerator, sha256 } from './identity.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { createInputValidator } from './input-validator.js';
import { registerValueClasses } from './value-classes.js';
import { WorkflowEngine } from './workflow-engine.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

@Injectable()
export class DefaultWorkflowEngine extends WorkflowEngine {
  readonly activities = new ActivityRegistry();
  readonly types: TypeRegistry;
  readonly expressions: ExpressionRegistry;
  readonly runner: WorkflowRunner;
  readonly newId: () => string;

  constructor(
    @Inject(RUNTIME_OPTIONS) options: ResolvedRuntimeOptions,
    clock: WorkflowClock,
    urls: SignedUrls,
    @Optional() @Inject(EXPRESSION_HANDLERS) contributed: readonly ExpressionHandler[] | null,
  ) {
    super();
    const logger = new WorkflowLogger('Workflow');
    const writeLine = options.writeLine ?? ((text: string) => logger.debug(text));
    this.newId = createIdGenerator(clock);
    const ofSecrets =
      options.secrets.length > 0
        ? [secretExpression(new NamedSecrets(options.secrets, options.allowedSecrets, clock))]
        : [];
    this.expressions = new ExpressionRegistry([
      ...builtinExpressions,
      ...(contributed ?? []),
      ...ofSecrets,
      ...options.expressions,
    ]);
    this.types = createDefaultTypeRegistry({ strict: options.strictConversions });
    registerValueClasses(options.types, this.types);
    registerCoreActivities(this.activities);
    this.runner = new WorkflowRunner(
      {
        clock,
        newId: this.newId,
        hash: sha256,
        journal: options.journal,
        logPersistenceMode: options.logPersistenceMode,
        redaction: options.redaction,
        cipher: options.encryption,
        flowchartMode: options.flowchartMode,
        defaultIncidentStrategy: options.defaultIncidentStrategy,
        incidentStrategies: options.incidentStrategies,
        activityMiddleware: options.activityMiddleware,
        workflowMiddleware: options.workflowMiddleware,
        validateInputs: createInputValidator(),
        // An option of the application has no way to know the secrets of the burst.
        writeLine: (text, ctx) => writeLine(ctx.workflow.secrets.shown(text)),
        readLine: options.readLine,
        warn: (message) => logger.warn(message),
        background: true,
        resumeUrl: (bookmark, instanceId, lifetime) => urls.forBookmark(bookmark.id, instanceId, lifetime),
        repeat: (bookmark, now) => this.repeat?.(bookmark, now),
        yield: () => loopTurns.next(),
        turn: () => loopTurns.goOn(),
      },
      this.types,
    );
  }
}
