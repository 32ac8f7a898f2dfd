import { ExpressionSyntaxError } from '../../errors/expression-errors.js';
import type { JavaScriptGlobal, ScriptFunctions } from '../globals/javascript-global.js';
import { DirectScript } from '../direct/direct-script.js';
import type { SyntaxFault } from '../direct/parse-script.js';
import type { CompiledScript } from './compiled-script.js';

/** A text with what was made of it; it outlives the sandbox that it was made with. */
export class Script {
  private plain: CompiledScript | SyntaxFault | undefined;
  private withFunctions: Map<string, CompiledScript | SyntaxFault> | undefined;

  private directScript: DirectScript | false | undefined;

  constructor(readonly source: string) {}

  /** For scripts that need no sandbox. Made when it is first asked for: most definitions never run. */
  direct(globals: ReadonlyMap<string, JavaScriptGlobal>, now?: () => number): DirectScript | undefined {
    return (this.directScript ??= DirectScript.compile(this.source, globals, now) ?? false) || undefined;
  }

  /** @throws ExpressionSyntaxError also when asked again: a text does not become valid */
  compiled(
    functions: ScriptFunctions | undefined,
    make: (names: readonly string[]) => CompiledScript | SyntaxFault,
  ): CompiledScript {
    const found = functions ? this.compiledWith(Object.keys(functions), make) : (this.plain ??= make([]));
    if ('code' in found) return found;
    throw new ExpressionSyntaxError('JavaScript', found.message, found.line, found.column);
  }

  private compiledWith(
    names: readonly string[],
    make: (names: readonly string[]) => CompiledScript | SyntaxFault,
  ): CompiledScript | SyntaxFault {
    this.withFunctions ??= new Map();
    const key = names.join();
    let found = this.withFunctions.get(key);
    if (!found) this.withFunctions.set(key, (found = make(names)));
    return found;
  }
}
