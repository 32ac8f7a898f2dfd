import { Button } from '@mantine/core';
import { CircleCheck, CloudOff, FileX, LoaderCircle, Lock, PencilLine, TriangleAlert } from 'lucide-react';
import { designerTexts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import css from './header.module.css';

const texts = designerTexts.state;

/** Where the work is: here, at the server, or published. */
export function SaveBadge() {
  const { saver, open, store } = useDesigner();
  const save = useDesign((state) => state.save);
  const standing = useDesign((state) => state.standing);
  const looks = {
    saved: standing.isPublished
      ? { icon: CircleCheck, text: texts.published, tone: 'finished' }
      : { icon: CircleCheck, text: texts.saved, tone: 'plain' },
    unsaved: { icon: PencilLine, text: texts.unsaved, tone: 'plain' },
    saving: { icon: LoaderCircle, text: texts.saving, tone: 'plain' },
    publishing: { icon: LoaderCircle, text: texts.publishing, tone: 'plain' },
    offline:
      save.kind === 'offline' && !save.isKept
        ? { icon: CloudOff, text: texts.offlineLostShort, tone: 'faulted' }
        : { icon: CloudOff, text: texts.offlineShort, tone: 'waiting' },
    refused: { icon: TriangleAlert, text: texts.refused, tone: 'faulted' },
    deleted: { icon: FileX, text: texts.deleted, tone: 'faulted' },
    conflict: { icon: TriangleAlert, text: texts.conflict, tone: 'waiting' },
  } as const;
  const {
    icon: Icon,
    text,
    tone,
  } = standing.isReadonly && save.kind === 'saved'
    ? ({ icon: Lock, text: store.mayWrite ? texts.readonly : texts.mayOnlyLook, tone: 'plain' } as const)
    : looks[save.kind];
  return (
    <span className={css.line}>
      <span className={css.version}>{texts.version(standing.version)}</span>
      <span
        className={css.state}
        data-tone={tone}
        role="status"
        title={
          save.kind === 'offline'
            ? save.isKept
              ? texts.offline
              : texts.offlineLost
            : save.kind === 'refused'
              ? save.error.message
              : undefined
        }
      >
        <Icon size={14} aria-hidden />
        {text}
      </span>
      {save.kind === 'refused' && <span className={css.reason}>{save.error.detail || save.error.title}</span>}
      {save.kind === 'deleted' && (
        <Button size="compact-xs" title={texts.restoreHint} onClick={() => void saver.restore()}>
          {texts.restore}
        </Button>
      )}
      {save.kind === 'conflict' && (
        <Button size="compact-xs" onClick={() => open({ kind: 'conflict' })}>
          {designerTexts.conflict.look}
        </Button>
      )}
    </span>
  );
}
