import { Injectable, SetMetadata } from '@nestjs/common';
import { WorkflowEngine } from '@waymark/runtime';

export const HIDES_SECRETS = Symbol('hides secrets');

/**
 * For controllers whose answers show what workflows have done or hold. Journals are stored without secrets; variables, and rows
 * that an older version or a host without redaction has written, may have some.
 */
export const HidesSecrets = (): ClassDecorator => SetMetadata(HIDES_SECRETS, true);

/** Takes the secrets out of what the API shows of instances. */
@Injectable()
export class ShownValues {
  constructor(private readonly engine: WorkflowEngine) {}

  of<T>(value: T): T {
    const { redaction } = this.engine.runner.engine;
    return redaction ? redaction.shown(value) : value;
  }

  /** The same for a value by itself that goes by a name. */
  named(name: string, value: unknown): unknown {
    return this.of({ [name]: value })[name];
  }
}
