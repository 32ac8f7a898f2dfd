import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Prelude } from './prelude.js';

/** A context with what scripts need in it. A script runs in one compartment and sees nothing of others. */
export class Compartment {
  /** `(factory, mentioned) => unit`: makes the function that runs a script once and answers its packed result. */
  readonly makeUnit: QuickJSHandle;
  /** `(id, value)`: a promise of the host has come to something. */
  readonly settle: QuickJSHandle;

  constructor(
    readonly context: QuickJSContext,
    prelude: Prelude,
    isFrozen: boolean,
  ) {
    const api = prelude.createApi(context, isFrozen);
    this.makeUnit = context.getProp(api, 'unit');
    this.settle = context.getProp(api, 'settle');
    api.dispose();
  }

  dispose(): void {
    this.makeUnit.dispose();
    this.settle.dispose();
    this.context.dispose();
  }
}
