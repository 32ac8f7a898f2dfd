import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten';
import { ExpressionSandboxError } from '../../errors/expression-errors.js';
import { BoundedMemory } from './bounded-memory.js';
import { FUEL, meterLoops } from './wasm-meter.js';
import { Watchdog } from './watchdog.js';

/** Thrown when the memory of the sandbox has no room for a value of the host. */
export class SandboxMemoryFull extends Error {
  override readonly name = 'SandboxMemoryFull';
}

/** Room that a new context needs; without it QuickJS answers null pointers and overwrites its own data. */
const ROOM_FOR_CONTEXT = 1 << 20;

/** One instance of QuickJS with memory of its own. */
export class SandboxModule {
  private crashed = false;
  /** How it came to be in an undefined state, unless it was stopped for being late. */
  crash: unknown;

  constructor(
    readonly quickjs: QuickJSWASMModule,
    readonly watchdog: Watchdog,
    private readonly emscripten: EmscriptenModule,
    readonly memory: BoundedMemory,
  ) {}

  /** In an undefined state: not to be called any more, not even to give memory back. */
  get isBroken(): boolean {
    return this.crashed || this.watchdog.isStopped;
  }

  /** Not to be entered by scripts that have not begun; those that wait in it may continue. */
  get isSpent(): boolean {
    return this.isBroken || this.memory.isSpent;
  }

  /** It is in an undefined state from now on. */
  giveUp(cause: unknown): void {
    this.crashed = true;
    this.crash ??= cause;
  }

  /** @throws SandboxMemoryFull when no context can be made */
  requireRoom(): void {
    this.emscripten._free(this.emscripten._malloc(ROOM_FOR_CONTEXT));
  }
}

/** Makes instances; the binary is read and compiled once. */
export class SandboxModuleLoader {
  private compiled: Promise<CompiledBinary> | undefined;

  /** @param source how to read the binary, or what another loader has made of it */
  constructor(
    private readonly memoryMb: number,
    private readonly source?: CompiledBinary | (() => Promise<Uint8Array>),
  ) {}

  /**
   * The compiled binary, which any thread can make instances of.
   * @throws ExpressionSandboxError as {@link load} does
   */
  async binary(): Promise<CompiledBinary> {
    try {
      return await (this.compiled ??= this.source === undefined ? quickJs() : compile(this.source));
    } catch (error) {
      this.compiled = undefined;
      throw new ExpressionSandboxError(error);
    }
  }

  /** @throws ExpressionSandboxError when the binary is not there, or is not what it should be; asked again, it tries again */
  async load(): Promise<SandboxModule> {
    const binary = await this.binary();
    try {
      return await this.instantiate(binary);
    } catch (error) {
      this.compiled = undefined;
      throw new ExpressionSandboxError(error);
    }
  }

  private async instantiate(binary: CompiledBinary): Promise<SandboxModule> {
    let watchdog: Watchdog | undefined;
    let emscripten: EmscriptenModule | undefined;
    const memory = new BoundedMemory(this.memoryMb);
    // Loaded here and not with this file: an application may start, and work, without a script that needs it.
    const { newQuickJSWASMModuleFromVariant, RELEASE_SYNC } = await import('quickjs-emscripten');
    const loader = await emscriptenLoader(RELEASE_SYNC);
    const quickjs = await newQuickJSWASMModuleFromVariant({
      ...RELEASE_SYNC,
      importModuleLoader: async () => async () => {
        const module = await loader({
          wasmMemory: memory.memory,
          instantiateWasm: (imports, onSuccess) => {
            const instance = new WebAssembly.Instance(
              binary.module,
              withFuelCallback(imports, binary, () => watchdog),
            );
            watchdog = new Watchdog(instance.exports[FUEL] as WebAssembly.Global<'i32'>);
            onSuccess(instance);
            return instance.exports;
          },
          // Emscripten reports a crash of the module here; it reaches us as an error anyway.
          print: ignore,
          printErr: ignore,
        });
        return (emscripten = withFastTexts(refuseNullPointers(module)));
      },
    } as typeof RELEASE_SYNC);
    return new SandboxModule(quickjs, watchdog!, emscripten!, memory);
  }
}

export interface CompiledBinary {
  readonly module: WebAssembly.Module;
  readonly callback: { readonly module: string; readonly name: string };
}

async function compile(source: CompiledBinary | (() => Promise<Uint8Array>)): Promise<CompiledBinary> {
  if (typeof source !== 'function') return source;
  const { bytes, callback } = meterLoops(await source());
  return { module: await WebAssembly.compile(bytes), callback };
}

let compiledQuickJs: Promise<CompiledBinary> | undefined;

/**
 * A constant that is made when it is first asked for. Made anew for each application of a process, as a test run has many, it took
 * a good part of their start, and V8 optimized its code again for each of them.
 */
function quickJs(): Promise<CompiledBinary> {
  compiledQuickJs ??= compile(readQuickJsBinary).catch((error: unknown) => {
    compiledQuickJs = undefined;
    throw error;
  });
  return compiledQuickJs;
}

async function readQuickJsBinary(): Promise<Uint8Array> {
  // The binary belongs to a dependency of quickjs-emscripten, so it is looked up from there.
  const outer = createRequire(import.meta.url).resolve('quickjs-emscripten');
  const path = createRequire(outer).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return readFile(path);
}

function withFuelCallback(
  imports: WebAssembly.Imports,
  { callback }: CompiledBinary,
  watchdog: () => Watchdog | undefined,
): WebAssembly.Imports {
  const members = imports[callback.module]!;
  const original = members[callback.name] as () => void;
  return {
    ...imports,
    [callback.module]: {
      ...members,
      [callback.name]: () => {
        const dog = watchdog();
        if (dog?.isEmpty) dog.refuel();
        else original();
      },
    },
  };
}

/** The parts of Emscripten's module that are used here. */
interface EmscriptenModule {
  _malloc(size: number): number;
  _free(pointer: number): void;
  /** Replaced when the memory grows. */
  readonly HEAPU8: Uint8Array;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, size: number): void;
}

interface EmscriptenOptions {
  wasmMemory: WebAssembly.Memory;
  instantiateWasm(
    imports: WebAssembly.Imports,
    onSuccess: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports;
  print(text: string): void;
  printErr(text: string): void;
}

type EmscriptenLoader = (options: EmscriptenOptions) => Promise<EmscriptenModule>;

async function emscriptenLoader(variant: QuickJSSyncVariant): Promise<EmscriptenLoader> {
  let found: unknown = await variant.importModuleLoader();
  // Depending on who imports it, an ES module's default export may be wrapped once more.
  while (typeof found === 'object' && found !== null && 'default' in found) found = found.default;
  return found as EmscriptenLoader;
}

/** Texts are written to wherever `malloc` says, and a full memory says 0: the module would overwrite its own data. */
function refuseNullPointers(module: EmscriptenModule): EmscriptenModule {
  const malloc = module._malloc;
  module._malloc = (size) => {
    const pointer = malloc(size);
    if (pointer === 0) throw new SandboxMemoryFull(`No room for ${size} bytes in the memory of the sandbox.`);
    return pointer;
  };
  return module;
}

/** Shorter texts are written faster by Emscripten's own loop. */
const LONG_TEXT = 100;

function withFastTexts(module: EmscriptenModule): EmscriptenModule {
  const { stringToUTF8 } = module;
  const encoder = new TextEncoder();
  module.lengthBytesUTF8 = (text) => Buffer.byteLength(text);
  module.stringToUTF8 = (text, pointer, size) => {
    if (text.length < LONG_TEXT) return stringToUTF8(text, pointer, size);
    const { written } = encoder.encodeInto(text, module.HEAPU8.subarray(pointer, pointer + size - 1));
    module.HEAPU8[pointer + written] = 0;
  };
  return module;
}

function ignore(): void {}
