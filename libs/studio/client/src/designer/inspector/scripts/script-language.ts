import type * as TypeScript from 'typescript';

export interface ScriptProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  /** If false, it can be read, and may fail when it runs. */
  readonly isSyntax: boolean;
}

export interface ScriptCompletion {
  readonly label: string;
  /** As TypeScript calls it: `function`, `property`. */
  readonly kind: string;
}

export interface ScriptHint {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Files that the language is made of, by name: `lib.es5.d.ts`. */
export type Libraries = Readonly<Record<string, string>>;

const SCRIPT = '/script.js';
const DECLARATIONS = '/declarations.d.ts';
const MOST = 20;
/** `return` is legal at the top level, and an expression need not be used: it is what the script gives. */
const LEGAL = new Set([1108, 2695]);

/** What the engine knows and no declaration says, since it depends on the host or on where the script stands. */
const EXTRAS = `
declare function secret(name: string): string;
declare function streamToBytes(value: any): Uint8Array;
declare function streamToBase64(value: any): string;
declare var args: any;
`;

/** Checks and completes scripts by what the API declares for them. It knows nothing of a browser. */
export class ScriptLanguage {
  private readonly service: TypeScript.LanguageService;
  private readonly files = new Map<string, { text: string; version: number }>();

  constructor(
    private readonly ts: typeof TypeScript,
    private readonly libraries: Libraries,
  ) {
    const options: TypeScript.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      lib: ['lib.es2023.d.ts'],
      types: [],
      allowJs: true,
      checkJs: true,
      strict: false,
      noEmit: true,
    };
    const textOf = (name: string): string | undefined =>
      this.files.get(name)?.text ?? this.libraries[name.slice(name.lastIndexOf('/') + 1)];
    this.service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [DECLARATIONS, SCRIPT],
      getScriptVersion: (name) => String(this.files.get(name)?.version ?? 0),
      getScriptSnapshot: (name) => {
        const text = textOf(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib.es2023.d.ts',
      fileExists: (name) => textOf(name) !== undefined,
      readFile: textOf,
    });
  }

  check(text: string, declarations: string): ScriptProblem[] {
    const shift = this.open(text, declarations);
    const syntax = this.service.getSyntacticDiagnostics(SCRIPT);
    const found = syntax.length > 0 ? syntax : this.service.getSemanticDiagnostics(SCRIPT);
    return found
      .filter(({ code }) => !LEGAL.has(code))
      .slice(0, MOST)
      .map(({ start = 0, length = 0, messageText }) => {
        const from = clamp(start - shift, text.length);
        return {
          from,
          to: Math.max(from, clamp(start + length - shift, text.length)),
          message: this.ts.flattenDiagnosticMessageText(messageText, '\n'),
          isSyntax: syntax.length > 0,
        };
      });
  }

  complete(text: string, declarations: string, position: number): ScriptCompletion[] {
    const shift = this.open(text, declarations);
    const found = this.service.getCompletionsAtPosition(SCRIPT, position + shift, {
      includeCompletionsWithInsertText: false,
    });
    return (found?.entries ?? [])
      .filter(({ kind }) => kind !== this.ts.ScriptElementKind.warning)
      .map(({ name, kind, sortText }) => ({ label: name, kind, sortText }))
      .sort((a, b) => (a.sortText < b.sortText ? -1 : a.sortText > b.sortText ? 1 : 0))
      .map(({ label, kind }) => ({ label, kind }));
  }

  /** What stands at a place. */
  hint(text: string, declarations: string, position: number): ScriptHint | undefined {
    const shift = this.open(text, declarations);
    const found = this.service.getQuickInfoAtPosition(SCRIPT, position + shift);
    // Of what it does not know there is nothing to say.
    if (!found?.displayParts?.some(({ kind }) => kind !== 'keyword')) return undefined;
    const from = found.textSpan.start - shift;
    const said = [this.ts.displayPartsToString(found.displayParts), this.ts.displayPartsToString(found.documentation)];
    return { from, to: from + found.textSpan.length, text: said.filter(Boolean).join('\n\n') };
  }

  /** As the engine does: an expression where it can be one, `{ a: 1 }` for example, and statements otherwise. @returns the shift */
  private open(text: string, declarations: string): number {
    this.set(DECLARATIONS, declarations + EXTRAS);
    if (!text.trimStart().startsWith('{')) {
      this.set(SCRIPT, text);
      return 0;
    }
    this.set(SCRIPT, `(${text}\n)`);
    if (this.service.getSyntacticDiagnostics(SCRIPT).length === 0) return 1;
    this.set(SCRIPT, text);
    return 0;
  }

  private set(name: string, text: string): void {
    const known = this.files.get(name);
    if (known?.text !== text) this.files.set(name, { text, version: (known?.version ?? 0) + 1 });
  }
}

const clamp = (value: number, most: number): number => Math.min(Math.max(0, value), most);
