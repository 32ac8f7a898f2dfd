import { TextInput } from '@mantine/core';
import { localOf, momentIn } from '../../../parts/local-moment.js';
import { shownTime } from '../../../parts/times.js';
import { useTyped } from '../../../parts/use-typed.js';
import { inspectorTexts } from '../../../texts/inspector.js';
import { textOf } from '../input-value.js';
import { momentOf, offsetText } from '../moments.js';
import type { EditorProps } from './plain-editor.js';
import css from '../inspector.module.css';

const texts = inspectorTexts.date;

/** A moment: picked in the reader's time zone, or written as Elsa writes it, which is what the document has. */
export function DateField({ id, label, value, isReadonly, onChange }: EditorProps & { readonly label: string }) {
  const text = textOf(value);
  const moment = momentOf(text);
  const picked = useTyped(text, () => (moment ? localOf(moment) : ''));
  const isWrong = text !== '' && moment === undefined;
  return (
    <div className={css.date}>
      <input
        type="datetime-local"
        className={css.picker}
        aria-label={texts.pick(label)}
        value={picked.text}
        readOnly={isReadonly}
        onChange={({ currentTarget: { value: typed } }) => {
          // Taken apart while it is typed: no moment yet.
          const date = momentIn(typed);
          const next = date && offsetText(date);
          picked.type(typed, next ?? '');
          onChange(next);
        }}
      />
      <TextInput
        id={id}
        size="xs"
        aria-label={label}
        placeholder={texts.example}
        value={text}
        readOnly={isReadonly}
        error={isWrong ? texts.wrong : undefined}
        description={moment ? texts.shown(shownTime(moment.toISOString())) : texts.hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
    </div>
  );
}
