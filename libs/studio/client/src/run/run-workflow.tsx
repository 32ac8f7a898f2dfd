import { Select, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionListQuery, definitionQuery } from '../api/definitions.js';
import type { Instance } from '../api/instances.js';
import { Dialog } from '../parts/dialog.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { runTexts as texts } from '../texts/operations.js';
import { HttpRun } from './http-run.js';
import { endpointsOf } from './http-request.js';
import { InputRun } from './input-run.js';

/** Of the workflows that are offered by name. */
const OFFERED = 1000;

interface RunProps {
  /** Without one it is chosen first. */
  readonly definitionId?: string | undefined;
  /** Whose input is sent once more. */
  readonly again?: Instance | undefined;
  readonly onClose: () => void;
}

/** Starts what is published of a workflow: with inputs, or by a request to its HTTP endpoint. */
export function RunWorkflow({ definitionId, again, onClose }: RunProps) {
  const [chosen, setChosen] = useState(definitionId);
  return (
    <Dialog title={again ? texts.again.title : texts.title} size="lg" onClose={onClose}>
      <Stack>
        {definitionId === undefined && <Choice value={chosen} onChange={setChosen} />}
        {chosen !== undefined && <Ways key={chosen} definitionId={chosen} again={again} />}
      </Stack>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly value: string | undefined;
  readonly onChange: (definitionId: string | undefined) => void;
}

function Choice({ value, onChange }: ChoiceProps) {
  const list = useQuery(definitionListQuery({ versionOptions: 'Published', pageSize: OFFERED, orderBy: 'Name' }));
  if (failureOf(list)) return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) return <p>{texts.nonePublished}</p>;
  return (
    <Select
      data-autofocus
      label={texts.workflow}
      placeholder={texts.choose}
      searchable
      limit={50}
      data={(list.data?.items ?? []).map((each) => ({
        value: each.definitionId,
        label: each.name || each.definitionId,
      }))}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

interface WaysProps {
  readonly definitionId: string;
  readonly again: Instance | undefined;
}

function Ways({ definitionId, again }: WaysProps) {
  const definition = useQuery(definitionQuery(definitionId, 'Published'));
  if (failureOf(definition)) return <ErrorPanel error={definition.error} onRetry={() => void definition.refetch()} />;
  if (!definition.data) return <Loading />;
  if (again) return <InputRun definition={definition.data} again={again} />;
  const endpoints = endpointsOf(definition.data.root);
  if (endpoints.length === 0) return <InputRun definition={definition.data} />;
  return (
    <Tabs defaultValue="http" keepMounted={false}>
      <Tabs.List mb="sm" aria-label={texts.ways}>
        <Tabs.Tab value="http">{texts.byHttp}</Tabs.Tab>
        <Tabs.Tab value="input">{texts.byInput}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="http">
        <HttpRun endpoints={endpoints} />
      </Tabs.Panel>
      <Tabs.Panel value="input">
        <InputRun definition={definition.data} />
      </Tabs.Panel>
    </Tabs>
  );
}
