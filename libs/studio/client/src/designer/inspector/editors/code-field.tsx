import { Suspense } from 'react';
import { Textarea } from '@mantine/core';
import { lazyPart } from '../../../parts/lazy-part.js';
import { inspectorTexts as texts } from '../../../texts/inspector.js';

const CodeEditor = lazyPart(() => import('./code-editor.js').then(({ CodeEditor: loaded }) => loaded));

export interface CodeFieldProps {
  readonly id: string;
  readonly label?: string;
  readonly labelledBy?: string;
  readonly language: string;
  /** What a script of it can use is completed. */
  readonly activityType: string;
  readonly value: string;
  readonly isReadonly: boolean;
  readonly onChange: (text: string) => void;
}

/** An expression; the editor is loaded when the first one is shown, and until then a plain field takes its place. */
export function CodeField(props: CodeFieldProps) {
  const { id, label, value } = props;
  return (
    <Suspense
      fallback={
        <Textarea id={id} size="xs" aria-label={label ?? texts.editorLoading} value={value} readOnly minRows={3} />
      }
    >
      <CodeEditor {...props} />
    </Suspense>
  );
}
