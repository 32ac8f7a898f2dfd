import { Autocomplete, Checkbox, Select, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NotDone } from '../api/api-error.js';
import { versionListQuery, versionQuery } from '../api/definitions.js';
import { manyOptions } from '../parts/many-options.js';
import { inParts } from '../api/in-parts.js';
import { type Alteration, alterInstances } from '../api/alterations.js';
import { type InstanceSummary, instancesKey } from '../api/instances.js';
import { Confirm } from '../parts/confirm.js';
import { errorOfJson } from '../parts/error-of-json.js';
import { readJson, UnreadableJson } from '../parts/form-values.js';
import { notify, notifyAlterations } from '../parts/toasts.js';
import { useProgress } from '../parts/use-progress.js';
import { useShown } from '../parts/use-shown.js';
import { instanceTexts } from '../texts/instances.js';
import { listTexts } from '../texts/lists.js';
import {
  activityChoices,
  canBeAltered,
  newestOf,
  outcomeChoices,
  targetsOf,
  variableChoices,
  versionsFor,
} from './alteration-targets.js';
import { OneOf } from '../parts/one-instance.js';
import { AlterationPreview } from './alteration-preview.js';
import { afterAnswer, afterFailure, leftOf, NONE_REACHED, type Reached } from './reached.js';

const texts = instanceTexts.alter;
const TYPES = ['SkipActivity', 'ScheduleActivity', 'CancelActivity', 'ModifyVariable', 'Migrate'] as const;
export type AlterationType = (typeof TYPES)[number];

interface DialogProps {
  readonly rows: readonly InstanceSummary[];
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
}

/** Repairs one instance or many of a workflow, after it was said in how many it will do what. */
export function AlterDialog({ rows, onClose, onDone }: DialogProps) {
  const targets = rows.filter(canBeAltered);
  const client = useQueryClient();
  const [type, setType] = useState<AlterationType>('SkipActivity');
  const [fields, setFields] = useState<Fields>({
    activityId: '',
    outcome: 'Done',
    variableId: '',
    value: '',
    version: '',
  });
  const isOneWorkflow = new Set(targets.map(({ definitionId }) => definitionId)).size === 1;
  const alteration = alterationOf(type, fields);
  const ids = targetsOf(targets, alteration).map(({ id }) => id);
  const { done, report } = useProgress();
  const isShown = useShown();
  const key = JSON.stringify(alteration);
  const [known, setKnown] = useState<Reached & { readonly key?: string }>(NONE_REACHED);
  const reached = known.key === key ? known : NONE_REACHED;
  const [again, setAgain] = useState(false);
  const left = leftOf(reached, ids, again);
  const run = async () => {
    let now = reached;
    const alterSome = async (some: readonly string[]) => {
      try {
        const answer = await alterInstances(some, [alteration!]);
        now = afterAnswer(now, some, answer);
        return answer;
      } catch (error) {
        now = afterFailure(now, some, error);
        setAgain(false);
        throw error;
      } finally {
        setKnown({ ...now, key });
      }
    };
    const answers = await inParts(left, alterSome, report);
    const results = answers.flatMap((answer) => answer.results);
    await client.invalidateQueries({ queryKey: instancesKey });
    const refused = results.filter(({ isSuccessful }) => !isSuccessful);
    const reasons = refused.flatMap(({ log }) => log?.logEntries?.map(({ message }) => message) ?? []);
    if (refused.length > 0) throw new NotDone(texts.failed(refused.length), reasons);
    if (isShown()) onDone?.();
    const planIds = answers.flatMap(({ planId }) => planId ?? []);
    for (const planId of planIds) notifyAlterations(planId);
    if (planIds.length === 0 || results.length > 0) notify(texts.done(results.length));
  };
  return (
    <Confirm
      title={texts.title(targets.length)}
      action={texts.submit}
      isDisabled={!isOneWorkflow || alteration === undefined || left.length === 0}
      isDangerous={type === 'CancelActivity'}
      onConfirm={run}
      onClose={onClose}
    >
      {!isOneWorkflow || targets.length === 0 ? (
        // Those that could be altered may have ended since.
        <p>{targets.length === 0 ? texts.ended(rows.length) : texts.severalWorkflows}</p>
      ) : (
        <>
          <OneOf rows={rows} />
          <p>{texts.lead}</p>
          <Select
            data-autofocus
            label={texts.what}
            allowDeselect={false}
            data={TYPES.map((value) => ({ value, label: texts.types[value] }))}
            value={type}
            onChange={(value) => setType(value as AlterationType)}
          />
          <FieldsOf
            type={type}
            fields={fields}
            targets={targets}
            onChange={(next) => setFields({ ...fields, ...next })}
          />
          {alteration && ids.length > 0 && <AlterationPreview ids={ids} alteration={alteration} />}
          {ids.length < targets.length && <p>{texts.there(targets.length - ids.length)}</p>}
          {reached.done.size > 0 && <p role="status">{texts.already(reached.done.size)}</p>}
          {reached.lost.size > 0 && (
            <Checkbox
              label={texts.again}
              description={texts.lost(reached.lost.size)}
              checked={again}
              onChange={(event) => setAgain(event.currentTarget.checked)}
            />
          )}
          {targets.length < rows.length && <p>{texts.ended(rows.length - targets.length)}</p>}
          {done > 0 && reached === NONE_REACHED && <p role="status">{listTexts.doneOf(done, ids.length)}</p>}
        </>
      )}
    </Confirm>
  );
}

interface Fields {
  readonly activityId: string;
  readonly outcome: string;
  readonly variableId: string;
  /** JSON. */
  readonly value: string;
  readonly version: string;
}

/** Undefined: something is missing. */
function alterationOf(type: AlterationType, fields: Fields): Alteration | undefined {
  const { activityId, outcome, variableId, version } = fields;
  const value = readJson(fields.value);
  switch (type) {
    case 'ModifyVariable':
      if (variableId === '' || value instanceof UnreadableJson) return undefined;
      return { type, variableId, value: value ?? null };
    case 'Migrate':
      return version === '' ? undefined : { type, targetVersion: Number(version) };
    case 'SkipActivity':
      return activityId === '' || outcome.trim() === '' ? undefined : { type, activityId, outcomes: [outcome.trim()] };
    default:
      return activityId === '' ? undefined : { type, activityId };
  }
}

interface FieldsProps {
  readonly type: AlterationType;
  readonly fields: Fields;
  readonly targets: readonly InstanceSummary[];
  readonly onChange: (next: Partial<Fields>) => void;
}

function FieldsOf({ type, fields, targets, onChange }: FieldsProps) {
  const row = newestOf(targets)!;
  const isOneVersion = targets.every(({ version }) => version === row.version);
  const definition = useQuery(versionQuery(row.definitionVersionId));
  const versions = useQuery(versionListQuery(row.definitionId));
  if (type === 'Migrate')
    return (
      <Select
        label={texts.version}
        {...manyOptions(
          versionsFor(targets, versions.data?.items ?? []).map(({ version, isPublished }) => ({
            value: String(version),
            label: texts.versionOf(version, isPublished),
          })),
        )}
        value={fields.version || null}
        onChange={(value) => onChange({ version: value ?? '' })}
      />
    );
  if (type === 'ModifyVariable')
    return (
      <>
        <Select
          label={texts.variable}
          description={isOneVersion ? undefined : texts.ofVersion(row.version)}
          data={variableChoices(definition.data)}
          value={fields.variableId || null}
          onChange={(value) => onChange({ variableId: value ?? '' })}
        />
        <Textarea
          autosize
          minRows={3}
          maxRows={10}
          label={texts.value}
          spellCheck={false}
          error={errorOfJson(readJson(fields.value))}
          value={fields.value}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      </>
    );
  return (
    <>
      <Select
        label={texts.activity}
        description={isOneVersion ? undefined : texts.ofVersion(row.version)}
        searchable
        data={activityChoices(definition.data?.root)}
        value={fields.activityId || null}
        onChange={(value) => onChange({ activityId: value ?? '' })}
      />
      {type === 'SkipActivity' && (
        <Autocomplete
          label={texts.outcome}
          data={outcomeChoices(definition.data?.root, fields.activityId)}
          filter={({ options }) => options}
          value={fields.outcome}
          onChange={(outcome) => onChange({ outcome })}
        />
      )}
    </>
  );
}
