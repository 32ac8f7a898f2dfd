import { newQuickJSWASMModuleFromVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { runTimed } from '../measure/timed-loops.js';
import { serveParent } from '../processes/serve-parent.js';
import { BATCH, EXPRESSION, X } from '../workflows/expression.js';

const TIMEOUT_MS = 5000;

// The least that answers the expression safely: a warm context, a function compiled once, a deadline for each call.
const quickjs = await newQuickJSWASMModuleFromVariant(RELEASE_SYNC);
const runtime = quickjs.newRuntime();
runtime.setMemoryLimit(8 << 20);
runtime.setMaxStackSize(128 << 10);
let deadline = Infinity;
runtime.setInterruptHandler(() => Date.now() > deadline);
const context = runtime.newContext();
const getVariable = context.newFunction('getVariable', (name) =>
  context.getString(name) === 'x' ? context.newNumber(X) : context.null,
);
context.setProp(context.global, 'getVariable', getVariable);
const compiled = context.unwrapResult(context.evalCode(`(function () { return ${EXPRESSION} })`));

function evaluate(): number {
  deadline = Date.now() + TIMEOUT_MS;
  const result = context.unwrapResult(context.callFunction(compiled, context.undefined));
  const value = context.getNumber(result);
  result.dispose();
  return value;
}

function run(): unknown {
  let result: unknown;
  for (let i = 0; i < BATCH; i++) result = evaluate();
  return result;
}

function after(result: unknown): void {
  if (result !== X + 1) throw new Error(`Not evaluated: ${String(result)}`);
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: BATCH, run, after }) });
