import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { type BulkAnswer, cancelInstances, deleteInstances } from '../api/instance-changes.js';
import { type InstanceSummary, instancesKey } from '../api/instances.js';
import { retryInstances } from '../api/alterations.js';
import { NotDone } from '../api/api-error.js';
import { inParts } from '../api/in-parts.js';
import { Confirm } from '../parts/confirm.js';
import { lazyPart } from '../parts/lazy-part.js';
import { notify, notifyPlan } from '../parts/toasts.js';
import { useProgress } from '../parts/use-progress.js';
import { useShown } from '../parts/use-shown.js';
import { canBeAltered } from './alteration-targets.js';
import { OneOf } from '../parts/one-instance.js';
import { instanceTexts as texts } from '../texts/instances.js';
import { listTexts } from '../texts/lists.js';

/** Its choices are read when it is opened; pages that show instances do without its script. */
const AlterDialog = lazyPart(() => import('./alter-dialog.js').then(({ AlterDialog: loaded }) => loaded));

export type InstanceAction = 'alter' | 'retry' | 'cancel' | 'delete';

interface DialogProps {
  readonly rows: readonly InstanceSummary[];
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
  /** They are deleted. Called also when the dialog has gone with what it was about: the server may tell so before it answers. */
  readonly onGone?: (() => void) | undefined;
}

/** The question before a repair, which says what it will do. */
export function InstanceDialog({ action, ...props }: DialogProps & { readonly action: InstanceAction }) {
  switch (action) {
    case 'alter':
      return (
        <Suspense>
          <AlterDialog {...props} />
        </Suspense>
      );
    case 'retry':
      return <RetryDialog {...props} />;
    case 'cancel':
      return <CancelDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
    default:
      return action satisfies never;
  }
}

const idsOf = (rows: readonly InstanceSummary[]) => rows.map(({ id }) => id);
const running = (rows: readonly InstanceSummary[]) => rows.filter(({ status }) => status === 'Running');

/** Called done, a refused deletion would lead away from an instance that is still there, without a reason. */
function useRefusals() {
  const client = useQueryClient();
  return async ({ planId, failures = [] }: BulkAnswer) => {
    if (failures.length === 0) return;
    if (planId !== undefined) notifyPlan(planId);
    await client.invalidateQueries({ queryKey: instancesKey });
    const reasons = failures.flatMap(({ message }) => message ?? []);
    throw new NotDone(texts.failures(failures.length), reasons);
  };
}

function useFinish(onDone: (() => void) | undefined) {
  const client = useQueryClient();
  const isShown = useShown();
  return async (text: string, { planId }: BulkAnswer = {}) => {
    if (isShown()) onDone?.();
    if (planId !== undefined) notifyPlan(planId);
    else notify(text);
    await client.invalidateQueries({ queryKey: instancesKey });
  };
}

function RetryDialog({ rows, onClose, onDone }: DialogProps) {
  const finish = useFinish(onDone);
  const client = useQueryClient();
  const failed = rows.filter((row) => row.incidentCount > 0 && canBeAltered(row));
  const { done, report } = useProgress();
  const retry = async () => {
    const answers = await inParts(idsOf(failed), retryInstances, report);
    const results = answers.flatMap((answer) => answer.results);
    const planIds = answers.flatMap(({ planId }) => planId ?? []);
    const refused = results.filter(({ isSuccessful }) => !isSuccessful);
    if (refused.length > 0) {
      await client.invalidateQueries({ queryKey: instancesKey });
      const reasons = refused.flatMap(({ log }) => log?.logEntries?.map(({ message }) => message) ?? []);
      throw new NotDone(texts.retry.failed(refused.length), reasons);
    }
    for (const planId of planIds.slice(1)) notifyPlan(planId);
    await finish(texts.retry.done(results.length), { planId: planIds[0] });
  };
  return (
    <Confirm title={texts.retry.title(failed.length)} action={texts.retry.submit} onConfirm={retry} onClose={onClose}>
      <OneOf rows={rows} />
      <p>{texts.retry.lead}</p>
      {failed.length < rows.length && <p>{texts.retry.none}</p>}
      {done > 0 && <p role="status">{listTexts.doneOf(done, failed.length)}</p>}
    </Confirm>
  );
}

function CancelDialog({ rows, onClose, onDone }: DialogProps) {
  const finish = useFinish(onDone);
  const refuse = useRefusals();
  const targets = running(rows);
  const cancel = async () => {
    const answer = await cancelInstances(idsOf(targets));
    await refuse(answer);
    await finish(texts.cancel.done(answer.cancelled ?? 0), answer);
  };
  return (
    <Confirm
      title={texts.cancel.title(targets.length)}
      action={targets.length === 1 ? texts.cancel.submitOne : texts.cancel.submit}
      back={texts.cancel.back}
      isDangerous
      onConfirm={cancel}
      onClose={onClose}
    >
      <OneOf rows={rows} />
      <p>{texts.cancel.lead}</p>
      {targets.length < rows.length && <p>{texts.cancel.ended(rows.length - targets.length)}</p>}
    </Confirm>
  );
}

function DeleteDialog({ rows, onClose, onDone, onGone }: DialogProps) {
  const finish = useFinish(onDone);
  const refuse = useRefusals();
  const left = running(rows).length;
  const destroy = async () => {
    const answer = await deleteInstances(idsOf(rows));
    await refuse(answer);
    onGone?.();
    await finish(texts.delete.done(answer.deleted ?? 0), answer);
  };
  return (
    <Confirm
      title={texts.delete.title(rows.length)}
      action={texts.delete.submit}
      isDangerous
      onConfirm={destroy}
      onClose={onClose}
    >
      <OneOf rows={rows} />
      <p>{texts.delete.lead}</p>
      {left > 0 && <p>{texts.delete.running(left)}</p>}
    </Confirm>
  );
}
