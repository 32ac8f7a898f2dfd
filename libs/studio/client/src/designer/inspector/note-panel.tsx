import { Button, Textarea } from '@mantine/core';
import { StickyNote, Trash2 } from 'lucide-react';
import { designerTexts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { changeNote, type Note } from '../model/notes.js';
import css from './inspector.module.css';

const texts = designerTexts.note;

export function NotePanel({ note }: { readonly note: Note }) {
  const { store, actions } = useDesigner();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const write = (text: string) =>
    store.perform(changeNote(store.design, store.state.level, note.id, { text }, `note ${note.id}`));
  return (
    <>
      <header className={css.header}>
        <StickyNote size={18} aria-hidden className={css.icon} />
        <div className={css.heading}>
          <h2 className={css.title}>{texts.title}</h2>
        </div>
      </header>
      <div className={css.panel}>
        <Textarea
          size="xs"
          label={texts.text}
          description={texts.hint}
          autosize
          minRows={4}
          value={note.text}
          readOnly={isReadonly}
          onChange={(event) => write(event.currentTarget.value)}
        />
        {!isReadonly && (
          <Button
            mt="md"
            size="xs"
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={() => actions.removeSelected()}
          >
            {texts.remove}
          </Button>
        )}
      </div>
    </>
  );
}
