import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { NotDone } from '../../api/api-error.js';
import { Dialog } from '../../parts/dialog.js';
import { ErrorPanel } from '../../parts/states.js';
import { endpointsOf } from '../../run/http-request.js';
import { HttpRun } from '../../run/http-run.js';
import { draftRunTexts as texts } from '../../texts/draft-run.js';
import { useDesign, useDesigner } from '../designer-context.js';

/** Publishes the draft, if it is not, and calls its endpoint. */
export function CallDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, saver } = useDesigner();
  const isPublished = useDesign((state) => state.standing.isPublished && state.save.kind === 'saved');
  const publish = useMutation({
    mutationFn: async () => {
      if (!(await saver.publish())) throw new NotDone(texts.notSaved);
    },
  });
  return (
    <Dialog title={texts.callTitle} size="lg" onClose={onClose}>
      {isPublished ? (
        <HttpRun endpoints={endpointsOf(store.design.root)} />
      ) : (
        <>
          <p>{texts.callLead}</p>
          {publish.isError && <ErrorPanel error={publish.error} />}
          <Group justify="flex-end">
            <Button
              leftSection={<Send size={15} aria-hidden />}
              loading={publish.isPending}
              onClick={() => publish.mutate()}
            >
              {texts.publishAndCall}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
