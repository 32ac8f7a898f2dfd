import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import { endOf, type SyntaxFault } from '../direct/parse-script.js';

/** An error of the sandbox, by what can be read of it. */
export interface EngineError {
  readonly name: string;
  readonly message: string;
  readonly line: number | undefined;
}

/** Reads an error and gives its handle back. */
export function readError(context: QuickJSContext, handle: QuickJSHandle): EngineError {
  const read = (name: string): string => context.getProp(handle, name).consume((value) => context.getString(value));
  const error = { name: read('name'), message: read('message'), line: lineOf(read('stack')) };
  handle.dispose();
  return error;
}

/** Line of the script in a stack of the sandbox. */
export function lineOf(stack: string): number | undefined {
  const match = /(?:script\.js|<input>):(\d+)/.exec(stack);
  return match ? Number(match[1]) : undefined;
}

/**
 * Why a text is not a script, in the words of the sandbox. It has read the text as the body of a function: an error below the last line
 * is about the end of that function, which the author of the text never sees.
 */
export function syntaxFaultOf(source: string, error: EngineError | undefined): SyntaxFault {
  if (!error || (error.line !== undefined && error.line > source.split('\n').length)) return endOf(source);
  return { message: error.message, line: error.line, column: undefined };
}

/** The parser makes a syntax error of it. */
export function isStackOverflow(error: { name: string; message: string }): boolean {
  return (error.name === 'InternalError' || error.name === 'SyntaxError') && error.message === 'stack overflow';
}

/** There may have been no room for the message, either: what is left of the error says nothing. */
export function isOutOfMemory(error: { name: string; message: string }): boolean {
  return error.name === 'InternalError' && (error.message === 'out of memory' || error.message === '{}');
}

export function isHostStackOverflow(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'RangeError';
}
