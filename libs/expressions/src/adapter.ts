export { JavaScriptEvaluator } from './javascript/javascript-evaluator.js';
export type { CompiledJavaScript } from './javascript/javascript-evaluator.js';
export { JavaScriptExpressionHandler } from './javascript/javascript-expression-handler.js';
export { JAVASCRIPT_OPTION_KINDS } from './javascript/javascript-options.js';
export { LIQUID_OPTION_KINDS } from './liquid/liquid-options.js';
