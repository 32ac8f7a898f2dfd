import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { alterationPlanQuery, stopAlterations } from '../api/alteration-plans.js';
import { instancesKey } from '../api/instances.js';
import { planTexts as texts } from '../texts/plans.js';
import { PlanNotice } from './plan-notice.js';

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
    <PlanNotice
      title={
        hasEnded ? texts.ended(ACTION, visited - failed, isStopped) : texts.running(ACTION, visited, selected, true)
      }
      {...{ failed, reason, hasEnded, visited, selected }}
      permission="run:alterations"
      isStopping={stop.isPending}
      onStop={stop.mutate}
    />
  );
}
