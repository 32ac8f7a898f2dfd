import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { type Diagnostic, linter } from '@codemirror/lint';
import { type Extension, StateEffect } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { checkScript, completeScript, hintAt } from './script-service.js';

/** What the words of TypeScript for kinds of things are in the list of completions. */
const TYPES: Readonly<Record<string, string>> = {
  function: 'function',
  method: 'method',
  property: 'property',
  getter: 'property',
  class: 'class',
  interface: 'interface',
  enum: 'enum',
  keyword: 'keyword',
  module: 'namespace',
};

const CHECK_MS = 400;

/** Other declarations are known now. */
export const declared = StateEffect.define<null>();

/** Completion, problems and hints of a script. @param declarations as they are known at the time; undefined: not at all */
export function scriptExtensions(declarations: () => string | undefined): Extension[] {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w$]*/);
    const isMember = context.matchBefore(/\.\s*[\w$]*/) !== null;
    if (!word || (word.from === word.to && !context.explicit && !isMember)) return null;
    const found = await completeScript(context.state.doc.toString(), declarations() ?? '', context.pos);
    if (context.aborted || found.length === 0) return null;
    const options = found.map(({ label, kind }, index): Completion => ({
      label,
      type: TYPES[kind] ?? 'variable',
      // What the workflow has stands before what the language has.
      boost: Math.max(-99, 99 - index),
    }));
    return { from: word.from, options, validFor: /^[\w$]*$/ };
  };
  return [
    autocompletion({ override: [complete] }),
    linter(
      async (view): Promise<Diagnostic[]> => {
        const text = view.state.doc.toString();
        if (text.trim() === '') return [];
        const known = declarations();
        const all = await checkScript(text, known ?? '');
        // It has been written on meanwhile: places may be beyond its end.
        if (view.state.doc.toString() !== text) return [];
        // Without declarations, every name would be strange.
        const found = known === undefined ? all.filter(({ isSyntax }) => isSyntax) : all;
        return found.map(({ from, to, message, isSyntax }) => ({
          from: Math.min(from, Math.max(0, text.length - 1)),
          to: Math.min(Math.max(to, from + 1), text.length),
          severity: isSyntax ? 'error' : 'warning',
          message,
        }));
      },
      {
        delay: CHECK_MS,
        needsRefresh: ({ transactions }) =>
          transactions.some(({ effects }) => effects.some((effect) => effect.is(declared))),
      },
    ),
    hoverTooltip(async (view, position) => {
      const hint = await hintAt(view.state.doc.toString(), declarations() ?? '', position);
      if (!hint || hint.text === '') return null;
      return {
        pos: hint.from,
        end: hint.to,
        above: true,
        create: () => {
          const dom = document.createElement('div');
          dom.className = 'cm-script-hint';
          dom.textContent = hint.text;
          return { dom };
        },
      };
    }),
  ];
}
