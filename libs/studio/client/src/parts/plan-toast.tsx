import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isOver, planQuery, stopPlan } from '../api/bulk-plans.js';
import { planTexts as texts } from '../texts/plans.js';
import { PlanNotice } from './plan-notice.js';

/** How far the server is with work on many, and the way to stop it. */
export function PlanToast({ planId }: { readonly planId: string }) {
  const client = useQueryClient();
  const { data: plan } = useQuery(planQuery(planId));
  const stop = useMutation({
    mutationFn: () => stopPlan(planId),
    onSettled: () => client.invalidateQueries({ queryKey: planQuery(planId).queryKey }),
  });
  const hasEnded = plan !== undefined && isOver(plan);
  useEffect(() => {
    // Whatever it was about: lists show what has become of it.
    if (hasEnded) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== planId });
  }, [hasEnded, client, planId]);
  // Not there yet, or not for this user to see.
  if (!plan) return <strong>{texts.begun}</strong>;
  const { action, status, visited, selected, isSelected, changed, failed, failures } = plan;
  return (
    <PlanNotice
      title={
        hasEnded
          ? texts.ended(action, changed, status === 'Cancelled')
          : texts.running(action, visited, selected, isSelected)
      }
      {...{ failed, hasEnded, visited, selected }}
      reason={failures[0]?.message}
      permission="cancel:bulk-plans"
      isStopping={stop.isPending}
      onStop={stop.mutate}
    />
  );
}
