import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useQuery } from '@tanstack/react-query';
import { tags } from '@lezer/highlight';
import { useEffect, useMemo, useRef } from 'react';
import { scriptTypesQuery } from '../../../api/descriptors.js';
import { styleNonce } from '../../../app/config.js';
import { inspectorTexts as texts } from '../../../texts/inspector.js';
import { useDesign, useDesigner } from '../../designer-context.js';
import type { Design } from '../../model/change.js';
import { liquidExtensions } from '../scripts/liquid-extensions.js';
import { localDeclarations } from '../scripts/local-declarations.js';
import { declared, scriptExtensions } from '../scripts/script-extensions.js';
import { shownLines, writtenLines } from './line-ends.js';
import type { CodeFieldProps } from './code-field.js';
import css from './code-editor.module.css';

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--text-soft)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.propertyName], color: 'var(--code-name)' },
]);

/** Where the grammar found something that it does not know. */
const syntaxErrors = linter(
  (view) => {
    const found: Diagnostic[] = [];
    const { length } = view.state.doc;
    if (length === 0) return found;
    syntaxTree(view.state).iterate({
      enter: ({ type, from, to }) => {
        if (type.isError && found.length < 5)
          found.push({
            from: Math.min(from, length - 1),
            to: Math.max(from + 1, to),
            severity: 'error',
            message: texts.notReadable,
          });
      },
    });
    return found;
  },
  { delay: 400 },
);

/** @param declarations and @param design as they are at the time */
function languageOf(name: string, declarations: () => string | undefined, design: () => Design): Extension {
  switch (name) {
    case 'JavaScript':
      return [javascript(), ...scriptExtensions(declarations)];
    case 'Liquid':
      return liquidExtensions(design);
    case 'Json':
    case 'Object':
      return [json(), syntaxErrors];
    default:
      return [];
  }
}

/** CodeMirror with the language of an expression. */
export function CodeEditor(props: CodeFieldProps) {
  const { id, label, labelledBy, language, activityType, value, isReadonly } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const ownUndo = useRef(new Compartment());
  const latest = useRef(props);
  latest.current = props;
  const { store } = useDesigner();
  const declarations = useRef<string>(undefined);
  const known = useDeclarations(language, activityType);
  declarations.current = known;
  useEffect(() => {
    const name: Record<string, string> =
      labelledBy === undefined ? { 'aria-label': label ?? '' } : { 'aria-labelledby': labelledBy };
    const created = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(styleNonce),
          ownUndo.current.of(history()),
          bracketMatching(),
          syntaxHighlighting(highlight),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          languageOf(
            language,
            () => declarations.current,
            () => store.design,
          ),
          // Tab leaves the field, as everywhere: the keyboard must find its way out.
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          new Compartment().of(EditorState.readOnly.of(isReadonly)),
          EditorView.contentAttributes.of({ id, ...name }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              const text = update.state.doc.toString();
              const { value: before, onChange } = latest.current;
              if (text !== shownLines(before)) onChange(writtenLines(text, before));
            }
          }),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, [id, label, labelledBy, language, isReadonly, store]);
  useEffect(() => {
    const { current } = view;
    if (!current) return;
    // Undo of the document, or another person's work.
    const text = current.state.doc.toString();
    if (text === shownLines(value)) return;
    // Its own undo begins anew: it would take this back, or put in again what is not there any more, and write that.
    current.dispatch({
      changes: { from: 0, to: text.length, insert: value },
      effects: ownUndo.current.reconfigure([]),
    });
    current.dispatch({ effects: ownUndo.current.reconfigure(history()) });
  }, [value]);
  useEffect(() => {
    // What it did not know before would be marked until the script is written on.
    if (language === 'JavaScript') view.current?.dispatch({ effects: declared.of(null) });
  }, [language, known]);
  return <div ref={host} className={css.editor} />;
}

/** What scripts can use here, as TypeScript declares it; `undefined` while it is not known. */
function useDeclarations(language: string, activityType: string): string | undefined {
  const { store } = useDesigner();
  const design = useDesign(({ history }) => history.design);
  const level = useDesign((state) => state.level);
  const { data } = useQuery({
    ...scriptTypesQuery(store.design.definitionId, activityType),
    enabled: language === 'JavaScript',
  });
  const local = useMemo(() => localDeclarations(design, level), [design, level]);
  return data === undefined ? undefined : data + local;
}
