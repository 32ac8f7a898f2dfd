import { Button, Group } from '@mantine/core';
import { useMemo } from 'react';
import { Dialog } from '../../parts/dialog.js';
import { designerTexts } from '../../texts/designer.js';
import { compare } from '../compare/diff.js';
import { DifferenceList } from '../compare/difference-list.js';
import { useDesign, useDesigner } from '../designer-context.js';

const texts = designerTexts.conflict;

/** Two people have changed one draft: nothing is lost before one of them has looked. */
export function ConflictDialog({ onClose }: { readonly onClose: () => void }) {
  const { saver } = useDesigner();
  const save = useDesign((state) => state.save);
  const design = useDesign((state) => state.history.design);
  const differences = useMemo(
    () => (save.kind === 'conflict' ? compare(save.theirs, design) : undefined),
    [save, design],
  );
  const choose = (choice: 'mine' | 'theirs') => {
    onClose();
    void saver.resolve(choice);
  };
  if (!differences) return null;
  return (
    <Dialog title={texts.title} size="lg" onClose={onClose}>
      <p>{texts.lead}</p>
      <DifferenceList differences={differences} />
      <Group mt="md" justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={onClose}>
          {texts.later}
        </Button>
        <Button variant="default" title={texts.theirsHint} onClick={() => choose('theirs')}>
          {texts.theirs}
        </Button>
        <Button onClick={() => choose('mine')}>{texts.mine}</Button>
      </Group>
    </Dialog>
  );
}
