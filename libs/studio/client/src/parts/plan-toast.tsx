import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isOver, planQuery, stopPlan } from '../api/bulk-plans.js';
import { planTexts as texts } from '../texts/plans.js';
import { May } from './may.js';
import css from './toasts.module.css';

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
  const [failure] = failures;
  return (
    <>
      <strong>
        {hasEnded
          ? texts.ended(action, changed, status === 'Cancelled')
          : texts.running(action, visited, selected, isSelected)}
      </strong>
      {failed > 0 && <div>{texts.failed(failed, failure?.message)}</div>}
      {!hasEnded && (
        <div className={css.plan}>
          <progress aria-label={texts.progress} max={Math.max(1, selected)} value={visited} />
          <May permission="cancel:bulk-plans">
            <Button size="compact-xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
              {texts.stop}
            </Button>
          </May>
        </div>
      )}
    </>
  );
}
