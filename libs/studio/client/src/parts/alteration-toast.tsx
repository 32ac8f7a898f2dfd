import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { alterationPlanQuery, stopAlterations } from '../api/alteration-plans.js';
import { instancesKey } from '../api/instances.js';
import { planTexts as texts } from '../texts/plans.js';
import { May } from './may.js';
import css from './toasts.module.css';

/** The action of a plan whose word is "altered". */
const ACTION = 'AlterInstances';

/** How far the server is with alterations of many instances, and the way to stop it. */
export function AlterationToast({ planId }: { readonly planId: string }) {
  const client = useQueryClient();
  const { data: progress } = useQuery(alterationPlanQuery(planId));
  const stop = useMutation({
    mutationFn: () => stopAlterations(planId),
    onSettled: () => client.invalidateQueries({ queryKey: alterationPlanQuery(planId).queryKey }),
  });
  const hasEnded = progress?.hasEnded === true;
  useEffect(() => {
    if (hasEnded) void client.invalidateQueries({ queryKey: instancesKey });
  }, [hasEnded, client]);
  // Not for this user to see.
  if (!progress) return <strong>{texts.begun}</strong>;
  const { selected, visited, failed, reason, isStopped } = progress;
  return (
    <>
      <strong>
        {hasEnded ? texts.ended(ACTION, visited - failed, isStopped) : texts.running(ACTION, visited, selected, true)}
      </strong>
      {failed > 0 && <div>{texts.failed(failed, reason)}</div>}
      {!hasEnded && (
        <div className={css.plan}>
          <progress aria-label={texts.progress} max={Math.max(1, selected)} value={visited} />
          <May permission="run:alterations">
            <Button size="compact-xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
              {texts.stop}
            </Button>
          </May>
        </div>
      )}
    </>
  );
}
