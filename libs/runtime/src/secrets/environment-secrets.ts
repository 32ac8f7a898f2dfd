import { InvalidOptionError } from '@waymark/core';
import type { SecretProvider } from './secret-provider.js';

/**
 * Reads secrets from environment variables: `partner-key` is `WAYMARK_SECRET_PARTNER_KEY`. Variables without the prefix cannot
 * be read.
 * @example
 * WorkflowModule.forRoot({ secrets: [new EnvironmentSecrets()] })
 */
export class EnvironmentSecrets implements SecretProvider {
  /**
   * @param prefix of the variables. @default 'WAYMARK_SECRET_'
   * @throws InvalidOptionError (`WM1090`) without a prefix, which would open the whole environment to definitions
   */
  constructor(
    private readonly prefix = 'WAYMARK_SECRET_',
    private readonly environment: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    if (prefix === '')
      throw new InvalidOptionError(
        'EnvironmentSecrets',
        'prefix',
        'a non-empty string, so that definitions read no other variable',
        'an empty text',
        'argument',
      );
  }

  /** Returns the secret; undefined if there is no such variable. */
  find(name: string): string | undefined {
    return this.environment[this.prefix + name.toUpperCase().replace(/[-.]/g, '_')] || undefined;
  }
}
