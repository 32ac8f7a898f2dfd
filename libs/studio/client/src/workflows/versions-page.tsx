import { Button, Menu, ActionIcon } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Download, EllipsisVertical, History, ListChecks, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type DefinitionSummary, definitionsKey, exportDefinitions, versionListQuery } from '../api/definitions.js';
import { deleteVersion, revertDesign } from '../api/designs.js';
import { EXPORT_DEFINITIONS } from '../api/permissions.js';
import { Confirm } from '../parts/confirm.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { download } from '../parts/download.js';
import { Page } from '../parts/page.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { notify, notifyError, notifyPlan } from '../parts/toasts.js';
import { compareTexts } from '../texts/compare.js';
import { workflowTexts } from '../texts/workflows.js';
import { DELETION_OF_VERSION, useAsSeen } from './use-as-seen.js';
import { StateBadge } from './state-badge.js';
import { WorkflowMenu } from './workflow-menu.js';
import css from './versions-page.module.css';
import { May } from '../parts/may.js';

const texts = workflowTexts.page;
const route = getRouteApi('/workflows/$definitionId/versions');

const columns: readonly Column<DefinitionSummary>[] = [
  { id: 'version', title: texts.version, isNarrow: true, cell: ({ version }) => <strong>{version}</strong> },
  {
    id: 'state',
    title: workflowTexts.columns.state,
    isNarrow: true,
    cell: (row) => <VersionState row={row} />,
  },
  { id: 'name', title: workflowTexts.columns.name, isMinor: true, cell: ({ name }) => name },
  {
    id: 'created',
    title: texts.changed,
    isNarrow: true,
    cell: ({ createdAt }) => createdAt && <Time value={createdAt} />,
  },
  {
    id: 'actions',
    title: workflowTexts.columns.actions,
    isTitleHidden: true,
    isNarrow: true,
    cell: (row) => <VersionActions row={row} />,
  },
];

/** More rows at once would keep the page from answering. */
const AT_ONCE = 200;

/** All versions of a definition, with the way back to an older one. */
export function VersionsPage() {
  const { definitionId } = route.useParams();
  const navigate = useNavigate();
  const versions = useQuery(versionListQuery(definitionId));
  const items = versions.data?.items ?? [];
  const [shown, setShown] = useState(AT_ONCE);
  const latest = items.find(({ isLatest }) => isLatest) ?? items[0];
  const row = latest && { ...latest, publishedVersion: items.find(({ isPublished }) => isPublished)?.version };
  return (
    <Page
      title={latest?.name || definitionId}
      trail={
        <>
          <Link to="/workflows">{workflowTexts.title}</Link> /{' '}
          <Link to="/workflows/$definitionId" params={{ definitionId }}>
            {latest?.name || definitionId}
          </Link>{' '}
          / {texts.versions}
        </>
      }
      badge={row && <StateBadge row={row} />}
      actions={
        <>
          {items.length > 1 && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link {...props} to="/workflows/$definitionId/compare" params={{ definitionId }} />
              )}
            >
              {compareTexts.title}
            </Button>
          )}
          {row && <WorkflowMenu row={row} onDeleted={() => void navigate({ to: '/workflows' })} />}
        </>
      }
    >
      {failureOf(versions) ? (
        <ErrorPanel error={versions.error} onRetry={() => void versions.refetch()} />
      ) : versions.data === undefined ? (
        <Loading />
      ) : (
        <>
          <DataTable label={texts.versions} columns={columns} rows={items.slice(0, shown)} idOf={({ id }) => id} />
          {shown < items.length && (
            <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
              {texts.older(items.length - shown)}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

function VersionState({ row }: { readonly row: DefinitionSummary }) {
  if (!row.isPublished && !row.isLatest) return null;
  return (
    <StateBadge row={{ ...row, isReadonly: false, publishedVersion: row.isPublished ? row.version : undefined }} />
  );
}

type Question = 'rollback' | 'delete';

function VersionActions({ row }: { readonly row: DefinitionSummary }) {
  const [question, setQuestion] = useState<Question>();
  const client = useQueryClient();
  const { id, definitionId, version, isLatest, isReadonly } = row;
  const finish = async (text: string) => {
    await client.invalidateQueries({ queryKey: definitionsKey });
    notify(text);
  };
  return (
    <div className={css.actions}>
      {!isLatest && !isReadonly && (
        <May permission="publish:workflow-definitions">
          <Button
            className={css.wideOnly}
            size="compact-sm"
            variant="default"
            leftSection={<History size={13} />}
            onClick={() => setQuestion('rollback')}
          >
            {texts.rollback}
          </Button>
        </May>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={workflowTexts.actionsOf(`${texts.version} ${version}`)}>
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<ListChecks size={15} />}
            renderRoot={(props) => (
              <Link {...props} to="/instances" search={{ workflow: definitionId, version: String(version) }} />
            )}
          >
            {workflowTexts.actions.instances}
          </Menu.Item>
          <May permission={EXPORT_DEFINITIONS}>
            <Menu.Item
              leftSection={<Download size={15} />}
              onClick={() =>
                void exportDefinitions([id])
                  .then((response) => download(response, `${definitionId}-${version}.zip`))
                  .catch(notifyError)
              }
            >
              {texts.exportVersion}
            </Menu.Item>
          </May>
          {!isLatest && !isReadonly && (
            <May permission="publish:workflow-definitions">
              <Menu.Item
                className={css.narrowOnly}
                leftSection={<History size={15} />}
                onClick={() => setQuestion('rollback')}
              >
                {texts.rollback}
              </Menu.Item>
            </May>
          )}
          {!isReadonly && (
            <May permission="delete:workflow-definitions">
              <Menu.Item leftSection={<Trash2 size={15} />} color="red" onClick={() => setQuestion('delete')}>
                {texts.deleteVersion}
              </Menu.Item>
            </May>
          )}
        </Menu.Dropdown>
      </Menu>
      {question === 'rollback' && (
        <RollbackDialog
          row={row}
          onDone={(created) => finish(texts.rolledBack(created))}
          onClose={() => setQuestion(undefined)}
        />
      )}
      {question === 'delete' && (
        <DeleteVersionDialog row={row} onDone={finish} onClose={() => setQuestion(undefined)} />
      )}
    </div>
  );
}

interface DeleteVersionDialogProps {
  readonly row: DefinitionSummary;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
}

function DeleteVersionDialog({ row: { id, version }, onDone, onClose }: DeleteVersionDialogProps) {
  const { change, question } = useAsSeen(id, DELETION_OF_VERSION);
  return (
    <Confirm
      title={texts.deleteVersionTitle(version)}
      {...question(texts.deleteVersion)}
      isDangerous
      onConfirm={async () => {
        const planId = (await change((over) => deleteVersion(id, over)))?.planId;
        if (planId !== undefined) notifyPlan(planId);
        await onDone(planId === undefined ? texts.deletedVersion : texts.deleteVersionPlan);
      }}
      onClose={onClose}
    >
      <p>{texts.deleteVersionLead}</p>
    </Confirm>
  );
}

interface RollbackDialogProps {
  readonly row: DefinitionSummary;
  readonly onDone: (created: number) => Promise<void>;
  readonly onClose: () => void;
}

function RollbackDialog({ row: { definitionId, version }, onDone, onClose }: RollbackDialogProps) {
  const { change, question } = useAsSeen(definitionId);
  return (
    <Confirm
      title={texts.rollbackTitle(version)}
      {...question(texts.rollback)}
      onConfirm={async () => {
        const { version: created } = await change((over) => revertDesign(definitionId, version, over));
        await onDone(created);
      }}
      onClose={onClose}
    >
      <p>{texts.rollbackLead(version)}</p>
    </Confirm>
  );
}
