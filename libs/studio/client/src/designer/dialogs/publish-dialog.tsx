import { useRef } from 'react';
import { NotDone } from '../../api/api-error.js';
import { Confirm } from '../../parts/confirm.js';
import { notify } from '../../parts/toasts.js';
import { useShown } from '../../parts/use-shown.js';
import { designerTexts } from '../../texts/designer.js';
import { workflowTexts } from '../../texts/workflows.js';
import { useDesign, useDesigner } from '../designer-context.js';
import css from '../header/header.module.css';

const texts = designerTexts.publishing;

/** Asked first: what is drawn is often half done, `P` is one letter on the canvas, and a publish cannot be undone. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }) {
  const { saver, store, open } = useDesigner();
  const warnings = useDesign((state) => state.warnings);
  const isShown = useShown();
  const end = useRef(onClose);
  const publish = async () => {
    if (await saver.publish()) return notify(designerTexts.published);
    const { save } = store.state;
    if (store.isReadonly && save.kind === 'saved') return notify(designerTexts.takenOver);
    const reason = save.kind === 'refused' ? save.error.message : '';
    if (save.kind !== 'conflict' || !isShown()) throw new NotDone(texts.notSaved, reason === '' ? [] : [reason]);
    end.current = () => open({ kind: 'conflict' });
  };
  return (
    <Confirm title={texts.title} action={designerTexts.publish} onConfirm={publish} onClose={() => end.current()}>
      <p>{workflowTexts.publish.lead(1)}</p>
      {warnings.length > 0 && (
        <>
          <p className={css.warnings}>{texts.warnings}</p>
          <ul className={css.problems} tabIndex={0} aria-label={texts.warnings}>
            {warnings.map(({ message }, index) => (
              <li key={index}>{message}</li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  );
}
