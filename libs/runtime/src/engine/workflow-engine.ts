import type { EngineOptions } from '@waymark/core';
import type { ActivityRegistry, ExpressionRegistry, TypeRegistry, WorkflowRunner } from '@waymark/core/adapter';

/** The engine of this module: what definitions are compiled with and bursts are run by. */
export abstract class WorkflowEngine {
  /** Registered activity types. */
  abstract readonly activities: ActivityRegistry;
  /** Registered expression types. */
  abstract readonly expressions: ExpressionRegistry;
  /** Registered value types. */
  abstract readonly types: TypeRegistry;
  /** Runs bursts. */
  abstract readonly runner: WorkflowRunner;
  /** A new unique id. */
  abstract readonly newId: () => string;
  /** When an activity waits again whose bookmark repeats: set by the library that makes such bookmarks. */
  repeat: EngineOptions['repeat'];
}
