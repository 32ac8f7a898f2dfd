import type { ExpressionScope } from '../expressions/expression-scope.js';

/** Gives expressions the secrets that they name. */
export interface SecretLookup {
  /**
   * The secret of that name, of which the scope has taken note; a promise of it where a provider is asynchronous.
   * @throws SecretNotFoundError (`WM3040`), InvalidSecretNameError (`WM3041`), SecretNotAllowedError (`WM3042`)
   */
  find(name: string, scope: ExpressionScope): string | Promise<string>;
}
