import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import { readError, type EngineError } from './engine-error.js';
import type { Prelude } from './prelude.js';

/** A context with what scripts need in it. A script runs in one compartment and sees nothing of others. */
export class Compartment {
  /** `(factory, mentioned) => unit`: makes the function that runs a script once and answers its packed result. */
  readonly makeUnit: QuickJSHandle;
  /** `(id, value)`: a promise of the host has come to something. */
  readonly settle: QuickJSHandle;

  private readonly addTypes: QuickJSHandle;
  private hasTypes = false;

  constructor(
    readonly context: QuickJSContext,
    private readonly prelude: Prelude,
    isFrozen: boolean,
  ) {
    const api = prelude.createApi(context, isFrozen);
    this.makeUnit = context.getProp(api, 'unit');
    this.settle = context.getProp(api, 'settle');
    this.addTypes = context.getProp(api, 'addTypes');
    api.dispose();
  }

  /**
   * Adds the .NET types, once; answers the error that kept it from that: there was no time or no room. They are in no
   * global object: scripts that name them are given them.
   */
  requireHostTypes(): EngineError | undefined {
    if (this.hasTypes) return undefined;
    const added = this.prelude.addHostTypes(this.addTypes);
    if (added.error) return readError(this.context, added.error);
    added.value.dispose();
    this.hasTypes = true;
    return undefined;
  }

  dispose(): void {
    this.makeUnit.dispose();
    this.settle.dispose();
    this.addTypes.dispose();
    this.context.dispose();
  }
}
