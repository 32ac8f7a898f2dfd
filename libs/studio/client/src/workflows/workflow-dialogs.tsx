import { TextInput } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, isOvertaken } from '../api/api-error.js';
import {
  consumersQuery,
  definitionsKey,
  deleteDefinitions,
  type PlanAnswer,
  publishDefinitions,
  retractDefinitions,
} from '../api/definitions.js';
import { deleteDesign, loadDesign, publishDesign, retractDesign, saveDesign } from '../api/designs.js';
import { inParts } from '../api/in-parts.js';
import { instanceListQuery, instancesKey } from '../api/instances.js';
import { parseExactly } from '../api/exact-json.js';
import { Confirm } from '../parts/confirm.js';
import { notify, notifyPlan } from '../parts/toasts.js';
import { useProgress } from '../parts/use-progress.js';
import { useShown } from '../parts/use-shown.js';
import { listTexts } from '../texts/lists.js';
import { workflowTexts as texts } from '../texts/workflows.js';
import { NewWorkflows } from './new-workflows.js';
import { DELETION, useAsSeen } from './use-as-seen.js';
import type { WorkflowRow } from './use-workflow-rows.js';

export type WorkflowAction = 'publish' | 'retract' | 'rename' | 'duplicate' | 'delete';

interface DialogProps {
  readonly rows: readonly WorkflowRow[];
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
}

/** The question before an action. Rename and duplicate are for one definition, the others for any number. */
export function WorkflowDialog({ action, ...props }: DialogProps & { readonly action: WorkflowAction }) {
  switch (action) {
    case 'publish':
      return <PublishDialog {...props} />;
    case 'retract':
      return <RetractDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
    case 'rename':
      return <NameDialog {...props} isCopy={false} />;
    case 'duplicate':
      return <NameDialog {...props} isCopy />;
    default:
      return action satisfies never;
  }
}

const nameOf = ({ name, definitionId }: WorkflowRow) => name || definitionId;
/** Those from code are changed in code. */
const editable = (rows: readonly WorkflowRow[]) => rows.filter(({ isReadonly }) => !isReadonly);
/** Of one that there is something to do about: several are one request, which names no revisions. */
const theOnly = ([row, ...others]: readonly WorkflowRow[], isDue: (row: WorkflowRow) => boolean): string | undefined =>
  row && others.length === 0 && isDue(row) ? row.definitionId : undefined;
const idsOf = (rows: readonly WorkflowRow[]) => rows.map(({ definitionId }) => definitionId);

function useFinish(onDone: (() => void) | undefined) {
  const client = useQueryClient();
  const isShown = useShown();
  return async (text: string | undefined, more?: string) => {
    await Promise.all([
      client.invalidateQueries({ queryKey: definitionsKey }),
      client.invalidateQueries({ queryKey: instancesKey }),
    ]);
    if (text !== undefined) notify(text, more);
    if (isShown()) onDone?.();
  };
}

/** Shows how far the server is with what it continues with after its answer. @returns whether there is such work */
function notifyPlans(answers: readonly PlanAnswer[]): boolean {
  const planIds = answers.flatMap(({ planId = [] }) => planId);
  for (const planId of planIds) notifyPlan(planId);
  return planIds.length > 0;
}

function PublishDialog({ rows, onClose, onDone }: DialogProps) {
  const client = useQueryClient();
  const finish = useFinish(onDone);
  const targets = editable(rows);
  const one = theOnly(targets, ({ isPublished }) => !isPublished);
  const { change, question } = useAsSeen(one);
  const { done, report } = useProgress();
  const publish = async () => {
    if (one !== undefined) {
      await change((over) => publishDesign(one, over, parseExactly, notifyPlan));
      return finish(texts.publish.done(1));
    }
    const answers = await inParts(idsOf(targets), publishDefinitions, report);
    const isPlanned = notifyPlans(answers);
    for (const id of answers.flatMap(({ consumerPlanIds = [] }) => consumerPlanIds)) notifyPlan(id);
    const failed = answers.flatMap((answer) => answer.failed.map((id) => ({ id, reasons: answer.warnings[id] ?? [] })));
    const [first] = failed;
    // What is in the way of one is shown; the others are published all the same.
    if (first) {
      await client.invalidateQueries({ queryKey: definitionsKey });
      const name = nameOf(rows.find(({ definitionId }) => definitionId === first.id)!);
      const message = [`${texts.publish.failed(name, failed.length - 1)}:`, ...first.reasons].join(' ');
      throw new ApiError({ status: 400, messages: [message] });
    }
    const unchanged = answers.flatMap(({ alreadyPublished }) => alreadyPublished).length;
    const published = answers.flatMap((answer) => answer.published).length;
    await finish(
      isPlanned && published === 0 ? undefined : texts.publish.done(published),
      unchanged > 0 ? texts.publish.unchanged(unchanged) : undefined,
    );
  };
  return (
    <Confirm title={texts.publish.title} {...question(texts.publish.submit)} onConfirm={publish} onClose={onClose}>
      <p>{texts.publish.lead(targets.length)}</p>
      <Skipped rows={rows} />
      {done > 0 && <p role="status">{listTexts.doneOf(done, targets.length)}</p>}
    </Confirm>
  );
}

function RetractDialog({ rows, onClose, onDone }: DialogProps) {
  const client = useQueryClient();
  const finish = useFinish(onDone);
  const targets = editable(rows);
  const one = theOnly(targets, ({ publishedVersion }) => publishedVersion !== undefined);
  const { change, question } = useAsSeen(one);
  const { done, report } = useProgress();
  const retract = async () => {
    if (one !== undefined) {
      await change((over) => retractDesign(one, over));
      return finish(texts.retract.done(1));
    }
    const answers = await inParts(idsOf(targets), retractDefinitions, report);
    const isPlanned = notifyPlans(answers);
    const failures = answers.flatMap((answer) => answer.failures ?? []);
    const [first] = failures;
    if (first) {
      await client.invalidateQueries({ queryKey: definitionsKey });
      const name = nameOf(rows.find(({ definitionId }) => definitionId === first.id)!);
      const message = `${texts.retract.failed(name, failures.length - 1)}: ${first.message}`;
      throw new ApiError({ status: 500, code: first.code, messages: [message] });
    }
    const unchanged = answers.flatMap(({ alreadyRetracted }) => alreadyRetracted).length;
    const retracted = answers.flatMap((answer) => answer.retracted).length;
    await finish(
      isPlanned && retracted === 0 ? undefined : texts.retract.done(retracted),
      unchanged > 0 ? texts.retract.unchanged(unchanged) : undefined,
    );
  };
  return (
    <Confirm title={texts.retract.title} {...question(texts.retract.submit)} onConfirm={retract} onClose={onClose}>
      <p>{texts.retract.lead(targets.length)}</p>
      <Skipped rows={rows} />
      {done > 0 && <p role="status">{listTexts.doneOf(done, targets.length)}</p>}
    </Confirm>
  );
}

/** More would ask the server too much before a question. */
const MOST_CONSUMERS = 20;
/** More would not be read before an answer. */
const MOST_NAMES = 12;

function DeleteDialog({ rows, onClose, onDone }: DialogProps) {
  const finish = useFinish(onDone);
  const targets = editable(rows);
  const definitionIds = idsOf(targets);
  // What is being deleted is not asked about again: the answer would come when the dialog has closed.
  const isGoing = useRef(false);
  const enabled = () => !isGoing.current;
  const counts = useQueries({
    queries: [
      { ...instanceListQuery({ definitionIds, pageSize: 1 }), enabled },
      { ...instanceListQuery({ definitionIds, pageSize: 1, statuses: ['Running'] }), enabled },
    ],
  });
  const consumers = useQueries({
    queries: definitionIds.slice(0, MOST_CONSUMERS).map((id) => ({ ...consumersQuery(id), enabled })),
  });
  const using = new Set(consumers.flatMap(({ data }) => data?.consumingWorkflowDefinitionIds ?? []));
  for (const id of definitionIds) using.delete(id);
  const [all, running] = counts.map(({ data }) => data);
  const one = theOnly(targets, () => true);
  const { change, question } = useAsSeen(one, DELETION);
  const destroy = async () => {
    isGoing.current = true;
    try {
      const answer =
        one === undefined ? await deleteDefinitions(definitionIds) : await change((over) => deleteDesign(one, over));
      const planId = answer?.planId;
      if (planId !== undefined) notifyPlan(planId);
      await finish(planId === undefined ? texts.delete.done(targets.length) : texts.delete.plan);
    } catch (error) {
      isGoing.current = false;
      throw error;
    }
  };
  return (
    <Confirm
      title={texts.delete.title(targets.length)}
      {...question(texts.delete.submit)}
      isDangerous
      isDisabled={targets.length === 0 || counts.some(({ isPending }) => isPending)}
      onConfirm={destroy}
      onClose={onClose}
    >
      <p>
        <strong>{targets.slice(0, MOST_NAMES).map(nameOf).join(', ')}</strong>
        {targets.length > MOST_NAMES && texts.delete.more(targets.length - MOST_NAMES)}
      </p>
      <p>{texts.delete.lead}</p>
      <ul>
        <li>{texts.delete.versions}</li>
        {all !== undefined && <li>{texts.delete.instances(all)}</li>}
        {running !== undefined && running.totalCount > 0 && <li>{texts.delete.running(running)}</li>}
      </ul>
      {using.size > 0 && <p>{texts.delete.consumers([...using].join(', '))}</p>}
      {targets.length > MOST_CONSUMERS && <p>{texts.delete.consumersOf(MOST_CONSUMERS)}</p>}
      <Skipped rows={rows} />
    </Confirm>
  );
}

function NameDialog({ rows, onClose, onDone, isCopy }: DialogProps & { readonly isCopy: boolean }) {
  const [row] = rows;
  const client = useQueryClient();
  const finish = useFinish(onDone);
  const old = row ? nameOf(row) : '';
  const [name, setName] = useState(isCopy ? texts.duplicate.copyOf(old) : old);
  const [workflows] = useState(() => new NewWorkflows(client, parseExactly));
  const own = isCopy ? texts.duplicate : texts.rename;
  const save = async () => {
    const { definitionId } = row!;
    if (isCopy) await copy(definitionId, name.trim(), workflows);
    else await rename(definitionId, name.trim());
    await finish(own.done);
  };
  return (
    <Confirm title={own.title} action={own.submit} isDisabled={name.trim() === ''} onConfirm={save} onClose={onClose}>
      {isCopy && <p>{texts.duplicate.lead}</p>}
      <TextInput
        data-autofocus
        label={texts.create.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Confirm>
  );
}

async function copy(of: string, name: string, workflows: NewWorkflows): Promise<void> {
  const { id: _version, ...model } = await loadDesign(of, parseExactly);
  await workflows.store(name, (definitionId) => ({ ...model, definitionId, name }));
}

/** In which others may be faster by a moment. */
const MOST_RENAMES = 5;

/** Of what another person saves at the same moment, all but the name stays. */
async function rename(definitionId: string, name: string, attempt = 1): Promise<void> {
  const found = await loadDesign(definitionId, parseExactly);
  const { id: _version, ...model } = found;
  try {
    await saveDesign({ ...model, name }, found, parseExactly);
  } catch (error) {
    if (!isOvertaken(error) || attempt >= MOST_RENAMES) throw error;
    await rename(definitionId, name, attempt + 1);
  }
}

function Skipped({ rows }: { readonly rows: readonly WorkflowRow[] }) {
  const count = rows.length - editable(rows).length;
  return count > 0 ? <p>{texts.skipped(count)}</p> : null;
}
