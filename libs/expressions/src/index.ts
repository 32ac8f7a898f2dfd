export {
  ExpressionFailedError,
  ExpressionMemoryError,
  ExpressionOptionError,
  ExpressionSandboxError,
  ExpressionSizeError,
  ExpressionSyntaxError,
  ExpressionTimeoutError,
  ExpressionTransferError,
  ExpressionUnavailableError,
} from './errors/expression-errors.js';
export type { ExpressionLanguage } from './errors/expression-errors.js';
export type { JavaScriptGlobal, ScriptFunctions } from './javascript/globals/javascript-global.js';
export type { JavaScriptOptions } from './javascript/javascript-options.js';
export { LiquidExpressionHandler } from './liquid/liquid-expression-handler.js';
export type { LiquidFilter, LiquidOptions } from './liquid/liquid-options.js';
export { SecretNameError, SecretTooShortError } from './errors/secret-errors.js';
export { RunJavaScript } from './run-javascript.activity.js';
