import { isPromiseLike, toErrorLike } from '@waymark/core/adapter';
import { type Clock } from '@waymark/core';
import { callHostFunction } from '../../dotnet/host-functions.js';
import { callAccessor, hasAccessor, typeOfText } from '../accessors.js';
import type { JavaScriptGlobal } from '../globals/javascript-global.js';
import type { Contents } from '../transfer/kept-contents.js';
import { requireFewValues } from '../transfer/few-values.js';
import { SEPARATOR } from '../transfer/marks.js';
import { pack, packAsText, type Packed } from '../transfer/pack.js';
import { unpack } from '../transfer/unpack.js';
import type { Evaluation } from './evaluation.js';
import { HostOperation } from './host-operation.js';

/** Called with a promise of the host, packed and never rejected; answers its number in the sandbox. */
export type PromiseSink = (evaluation: Evaluation, promise: Promise<Packed>) => number;

/** Answers what the sandbox asks of the host. Calls and answers are text, so no object ever crosses. */
export class HostBridge {
  /**
   * @param maxTransferred characters that one evaluation may hand over in all: the memory of the host must not fill up
   * with what the sandbox has no room for
   * @param maxValues in the arguments of one call: they are read in one go
   */
  constructor(
    private readonly globals: readonly JavaScriptGlobal[],
    private readonly clock: Clock | undefined,
    private readonly maxTransferred: number,
    private readonly maxValues: number,
  ) {}

  /** Names of the global functions, in the order of their operation codes. */
  get globalNames(): readonly string[] {
    return this.globals.map((g) => g.name);
  }

  answer(evaluation: Evaluation | undefined, call: string, onPromise: PromiseSink): Packed {
    try {
      if (!evaluation) throw new TypeError('The host can only be asked while a script runs.');
      evaluation.transferred += call.length;
      if (evaluation.transferred > this.maxTransferred) {
        evaluation.ranOutOfMemory = true;
        throw new RangeError('The script handed over too much data.');
      }
      return this.perform(evaluation, call, onPromise);
    } catch (error) {
      return packError(evaluation, error);
    }
  }

  protected perform(evaluation: Evaluation, call: string, onPromise: PromiseSink): Packed {
    const operation = call.charCodeAt(0);
    const args = this.argumentsOf(call);
    if (operation === HostOperation.ReadVariable) return this.readVariable(evaluation, args);
    const value = this.valueOf(evaluation, operation, args);
    return isPromiseLike(value)
      ? `p${onPromise(evaluation, packLater(evaluation, value))}`
      : pack(value, evaluation.contents);
  }

  /** @throws ExpressionSizeError (`WM4008`) for too many values in one of them */
  protected argumentsOf(call: string): string[] {
    const args = call.length > 1 ? call.slice(2).split(SEPARATOR) : [];
    for (const arg of args) requireFewValues(arg, this.maxValues);
    return args;
  }

  private valueOf(evaluation: Evaluation, operation: number, texts: readonly string[]): unknown {
    const { scope, functions } = evaluation;
    const contents = this.contentsOf(evaluation);
    const args = texts.map((t) => unpack(t, contents));
    switch (operation) {
      case HostOperation.Accessor: {
        const [name, ...rest] = args as [string, ...unknown[]];
        if (functions && Object.hasOwn(functions, name)) return functions[name]!(...rest);
        return callAccessor(scope, name, rest);
      }
      case HostOperation.HasAccessor: {
        const name = String(args[0]);
        return (functions !== undefined && Object.hasOwn(functions, name)) || hasAccessor(scope, name);
      }
      case HostOperation.WriteVariable: {
        const name = String(args[0]);
        // A rule of the format: a variable of that name would be made, and hide the input from then on.
        if (!scope.hasVariable(name) && scope.inputNames().includes(name)) return undefined;
        return scope.setVariable(name, args[1] ?? null);
      }
      case HostOperation.Arguments:
        return scope.args ?? {};
      case HostOperation.Settled:
        evaluation.settled ??= String(JSON.parse(String(args[1])));
        return undefined;
      case HostOperation.TypeOfVariable:
        return typeOfText(scope, String(args[0]), args[1] === true);
      case HostOperation.ReadContent:
        return contents.find(Number(args[0]));
      case HostOperation.Now:
        return this.clock?.now();
      case HostOperation.HostTypes:
        return callHostFunction(args[0], args.slice(1));
      default: {
        const global = this.globals[operation - HostOperation.FirstGlobal];
        if (!global) throw new TypeError(`The sandbox asked for the unknown operation ${operation}.`);
        return global.invoke(scope, ...args);
      }
    }
  }

  /** What was kept for an evaluation, to be found again in what the script hands over. */
  protected contentsOf({ contents }: Evaluation): Contents {
    return contents;
  }

  private readVariable({ scope, contents }: Evaluation, [name = 's']: readonly string[]): string {
    const variable = String(unpack(name));
    return scope.hasVariable(variable) ? packAsText(scope.getVariable(variable), contents) : 'u';
  }
}

async function packLater(evaluation: Evaluation, promise: PromiseLike<unknown>): Promise<Packed> {
  try {
    return pack(await promise, evaluation.contents);
  } catch (error) {
    return packError(evaluation, error);
  }
}

/** Name and message for the script; the error itself stays here, for the caller of the script. */
function packError(evaluation: Evaluation | undefined, error: unknown): string {
  const { name, message } = toErrorLike(error);
  return `x${JSON.stringify({ name, message, id: evaluation?.keepError(error) })}`;
}
