import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  Copy,
  Trash2,
} from 'lucide-react';
import { designerTexts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import type { Alignment } from '../model/arrange.js';
import css from './inspector.module.css';

const texts = designerTexts.selection;

const ALIGNMENTS: readonly [Alignment, typeof Copy][] = [
  ['left', AlignStartVertical],
  ['center', AlignCenterVertical],
  ['right', AlignEndVertical],
  ['top', AlignStartHorizontal],
  ['middle', AlignCenterHorizontal],
  ['bottom', AlignEndHorizontal],
  ['columns', AlignHorizontalDistributeCenter],
  ['rows', AlignVerticalDistributeCenter],
];

export function SelectionPanel({ count }: { readonly count: number }) {
  const { actions } = useDesigner();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  return (
    <div className={css.panel}>
      <h2 className={css.title}>{texts.title(count)}</h2>
      {!isReadonly && (
        <>
          <h3 className={css.label}>{texts.align}</h3>
          <Group gap={4} mb="md" role="group" aria-label={texts.align}>
            {ALIGNMENTS.map(([alignment, Icon]) => (
              <ActionIcon
                key={alignment}
                variant="default"
                aria-label={texts.alignments[alignment]}
                title={texts.alignments[alignment]}
                onClick={() => actions.align(alignment)}
              >
                <Icon size={15} />
              </ActionIcon>
            ))}
          </Group>
          <Stack gap="xs" align="flex-start">
            <Button
              size="xs"
              variant="default"
              leftSection={<Copy size={14} aria-hidden />}
              onClick={() => actions.duplicate()}
            >
              {texts.duplicate}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => actions.removeSelected()}
            >
              {texts.remove}
            </Button>
          </Stack>
        </>
      )}
    </div>
  );
}
