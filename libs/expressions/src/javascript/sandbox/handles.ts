import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Packed } from '../transfer/pack.js';

/** A packed value as the sandbox receives it. To be disposed by the caller. */
export function toHandle(context: QuickJSContext, packed: Packed): QuickJSHandle {
  switch (typeof packed) {
    case 'number':
      return context.newNumber(packed);
    case 'string':
      return context.newString(packed);
    case 'boolean':
      return packed ? context.true : context.false;
    case 'undefined':
      return context.undefined;
    default:
      // A copy: the memory behind a Buffer is shared with other buffers of the process.
      return packed === null ? context.null : context.newArrayBuffer(new Uint8Array(packed).buffer);
  }
}
