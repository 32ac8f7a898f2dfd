import type { QuickJSContext, QuickJSHandle, SuccessOrFail } from 'quickjs-emscripten';
import { HOST_TYPES } from './host-types/host-types-code.js';
import { PRELUDE } from './prelude-code.js';

/** File name of scripts in stack traces. */
export const SCRIPT_FILE = 'script.js';
/** File name of the prelude there: its lines are not lines of the script. */
const PRELUDE_FILE = 'waymark';

/** The loaded prelude of a runtime. */
export class Prelude {
  private readonly host: QuickJSHandle;
  private readonly names: QuickJSHandle;
  private readonly code: QuickJSHandle;
  private types: QuickJSHandle | undefined;

  /** @param answer called for each call out of the sandbox */
  constructor(
    private readonly context: QuickJSContext,
    globalNames: readonly string[],
    private readonly hasClock: boolean,
    answer: (call: QuickJSHandle) => QuickJSHandle,
  ) {
    this.host = context.newFunction('host', answer);
    this.names = context.unwrapResult(context.evalCode(JSON.stringify(globalNames), PRELUDE_FILE));
    this.code = context.unwrapResult(context.evalCode(PRELUDE, PRELUDE_FILE));
  }

  /** Furnishes a context of the same runtime; answers what runs scripts in it. */
  createApi(target: QuickJSContext, isFrozen: boolean): QuickJSHandle {
    const { context } = this;
    const flag = (on: boolean): QuickJSHandle => (on ? context.true : context.false);
    return context.unwrapResult(
      context.callFunction(
        this.code,
        context.undefined,
        this.host,
        this.names,
        target.global,
        flag(isFrozen),
        flag(this.hasClock),
      ),
    );
  }

  /** Adds the .NET types to a compartment by its `addTypes`. Their code is loaded when it is first asked for. */
  addHostTypes(addTypes: QuickJSHandle): SuccessOrFail<QuickJSHandle, QuickJSHandle> {
    const { context } = this;
    if (!this.types) {
      const code = context.evalCode(HOST_TYPES, PRELUDE_FILE);
      if (code.error) return code;
      this.types = code.value;
    }
    return context.callFunction(addTypes, context.undefined, this.types);
  }

  dispose(): void {
    for (const handle of [this.host, this.names, this.code, this.types]) handle?.dispose();
  }
}
