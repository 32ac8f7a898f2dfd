export { JavaScriptEvaluator } from './javascript/javascript-evaluator.js';
export type { CompiledJavaScript } from './javascript/javascript-evaluator.js';
export { JavaScriptExpressionHandler } from './javascript/javascript-expression-handler.js';
