import type { ExpressionScope } from '@waymark/core';
import { typeOfText } from '../accessors.js';
import type { JavaScriptGlobal } from '../globals/javascript-global.js';
import type { TextType } from '../sandbox/host-types/names.js';
import type { MentionedNames } from '../script/mentioned-names.js';
import { bailOut } from './bail-out.js';

/** What names mean in a script. */
export class DirectEnvironment {
  /** Names of the functions that the script calls: those given for one evaluation may replace them. */
  readonly calledNames = new Set<string>();
  private readonly scopes: Map<string, number>[] = [new Map()];
  private slots = 0;

  constructor(
    private readonly globals: ReadonlyMap<string, JavaScriptGlobal>,
    private readonly mentioned: MentionedNames,
    /** The time that scripts see; without it they are left to the sandbox when they ask. */
    readonly now: (() => number) | undefined,
  ) {}

  /**
   * Refuses a text that is a value of .NET in this script: variables of type `TimeSpan` compare as times there, and not as texts.
   * @param name of the variable, or the function that gives the text
   */
  refuseTyped(value: unknown, name: string, scope: ExpressionScope, isAccessor = false): void {
    const { textTypes } = this.mentioned;
    if (textTypes.length === 0 || typeof value !== 'string') return;
    const type = typeOfText(scope, name, isAccessor);
    if (textTypes.some((known) => known === type)) bailOut();
  }

  /** The script takes texts of some type for values of .NET: {@link refuseTyped} looks at them. */
  get hasTextTypes(): boolean {
    return this.mentioned.textTypes.length > 0;
  }

  /** The script takes texts of that type for values of .NET. */
  hasTextType(type: TextType): boolean {
    return this.mentioned.textTypes.includes(type);
  }

  /** The script has constants. */
  get hasSlots(): boolean {
    return this.slots > 0;
  }

  /** Slot of a new constant; `undefined` when its name means something else in scripts. */
  declare(name: string): number | undefined {
    if (!ordinaryName.test(name) || special.has(name) || this.globals.has(name) || this.isAccessor(name))
      return undefined;
    // Above its declaration a name of an inner block must not be read at all, not even from the outer one.
    if (this.slotOf(name) !== undefined) return undefined;
    this.scopes.at(-1)!.set(name, this.slots);
    return this.slots++;
  }

  slotOf(name: string): number | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const slot = this.scopes[i]!.get(name);
      if (slot !== undefined) return slot;
    }
    return undefined;
  }

  inBlock<T>(compile: () => T): T {
    this.scopes.push(new Map());
    try {
      return compile();
    } finally {
      this.scopes.pop();
    }
  }

  /** A function of the host that may be called directly. */
  pureGlobal(name: string): JavaScriptGlobal | undefined {
    const global = this.globals.get(name);
    return global?.isPure && this.slotOf(name) === undefined ? global : undefined;
  }

  /** `getX`, if such a call reads a variable, an input or an output. */
  isAccessor(name: string): boolean {
    return this.mentioned.accessors.includes(name) && !this.globals.has(name);
  }

  /** `variables.X` is there for names that the text spells out. */
  isMentionedVariable(name: string): boolean {
    return this.mentioned.variables?.includes(name) === true && this.isFree('variables');
  }

  /** Means what it means in the language. */
  isFree(name: string): boolean {
    return !this.globals.has(name) && this.slotOf(name) === undefined;
  }
}

const ordinaryName = /^[A-Za-z_$][\w$]*$/;
const special: ReadonlySet<string> = new Set(
  (
    'undefined NaN Infinity args variables arguments eval globalThis Array Boolean Date JSON Math Number Object String ' +
    'isFinite isNaN ' +
    'async await yield let static of get set'
  ).split(' '),
);
