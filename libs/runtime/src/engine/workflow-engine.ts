import type { EngineOptions } from '@waymark/core';
import type { ActivityRegistry, ExpressionRegistry, TypeRegistry, WorkflowRunner } from '@waymark/core/adapter';

/** The engine of this module: what definitions are compiled with and bursts are run by. */
export abstract class WorkflowEngine {
  abstract readonly activities: ActivityRegistry;
  abstract readonly expressions: ExpressionRegistry;
  abstract readonly types: TypeRegistry;
  abstract readonly runner: WorkflowRunner;
  /** A new unique id. */
  abstract readonly newId: () => string;
  /** When an activity waits again whose bookmark repeats: set by the library that makes such bookmarks. */
  repeat: EngineOptions['repeat'];
}
