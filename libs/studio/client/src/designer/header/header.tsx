import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  Download,
  EllipsisVertical,
  GitCompareArrows,
  History,
  ListChecks,
  Play,
  Redo2,
  Send,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { exportDefinition } from '../../api/definitions.js';
import { EXPORT_DEFINITIONS } from '../../api/permissions.js';
import { download } from '../../parts/download.js';
import { Page } from '../../parts/page.js';
import { notify, notifyError } from '../../parts/toasts.js';
import { designerTexts as texts } from '../../texts/designer.js';
import { draftRunTexts } from '../../texts/draft-run.js';
import { workflowTexts } from '../../texts/workflows.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { useDraftRun } from '../run/draft-run.js';
import { focusDock } from '../run/focus-dock.js';
import { useDesignerHotkeys } from './use-designer-hotkeys.js';
import { ProblemsButton } from './problems-button.js';
import { SaveBadge } from './save-badge.js';
import { May } from '../../parts/may.js';

/** The frame of the page: name, state, and what concerns the whole document. */
export function Header({ children }: { readonly children: ReactNode }) {
  const { store } = useDesigner();
  const definitionId = store.design.definitionId;
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const name = useDesign((state) => state.history.design.name);
  useDesignerHotkeys();
  return (
    <Page
      fills
      title={name || definitionId}
      trail={<Link to="/workflows">{workflowTexts.title}</Link>}
      badge={<SaveBadge />}
      actions={
        <>
          {!isReadonly && <UndoButtons />}
          {store.mayWrite && <ProblemsButton />}
          <May permission="exec:workflow-definitions">
            <RunButton />
          </May>
          {!store.design.isReadonly && (
            <May permission="publish:workflow-definitions">
              <PublishButton />
            </May>
          )}
          <MoreMenu definitionId={definitionId} />
        </>
      }
    >
      {children}
    </Page>
  );
}

function UndoButtons() {
  const { store } = useDesigner();
  const canUndo = useDesign((state) => state.history.done.length > 0);
  const canRedo = useDesign((state) => state.history.undone.length > 0);
  const { undo, redo, keys } = texts.tools;
  return (
    <ActionIcon.Group>
      <ActionIcon
        size={34}
        variant="default"
        aria-label={undo}
        title={`${undo} (${keys.undo})`}
        disabled={!canUndo}
        onClick={() => store.undo()}
      >
        <Undo2 size={16} />
      </ActionIcon>
      <ActionIcon
        size={34}
        variant="default"
        aria-label={redo}
        title={`${redo} (${keys.redo})`}
        disabled={!canRedo}
        onClick={() => store.redo()}
      >
        <Redo2 size={16} />
      </ActionIcon>
    </ActionIcon.Group>
  );
}

function RunButton() {
  const { isOpen, setOpen } = useDraftRun();
  return (
    <Button
      variant="default"
      leftSection={<Play size={15} aria-hidden />}
      title={draftRunTexts.runHint}
      aria-pressed={isOpen}
      aria-keyshortcuts="R"
      data-run
      onClick={() => setOpen(!isOpen)}
      // By keys: from here to there it would be a way through the whole canvas. Once the key is up, which would start the run.
      onKeyUp={({ key }) => (key === 'Enter' || key === ' ') && focusDock()}
    >
      {draftRunTexts.run}
    </Button>
  );
}

function PublishButton() {
  const { open } = useDesigner();
  const kind = useDesign((state) => state.save.kind);
  const isPublished = useDesign((state) => state.standing.isPublished && state.save.kind === 'saved');
  return (
    <Button
      leftSection={<Send size={15} aria-hidden />}
      aria-keyshortcuts="P"
      data-publish
      disabled={isPublished || kind === 'refused' || kind === 'deleted'}
      onClick={() => open({ kind: 'publish' })}
    >
      {texts.publish}
    </Button>
  );
}

function MoreMenu({ definitionId }: { readonly definitionId: string }) {
  const { saver, store } = useDesigner();
  const { menu } = texts;
  const exportNow = async () => {
    const isSaved = await saver.flush();
    await download(await exportDefinition(definitionId), `${definitionId}.json`);
    if (!isSaved) notify(texts.exportedSaved);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={34} variant="default" aria-label={texts.more} title={texts.more}>
          <EllipsisVertical size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <May permission={EXPORT_DEFINITIONS}>
          <Menu.Item leftSection={<Download size={15} />} onClick={() => void exportNow().catch(notifyError)}>
            {menu.export}
          </Menu.Item>
        </May>
        <Menu.Item
          leftSection={<GitCompareArrows size={15} />}
          renderRoot={(props) => <Link {...props} to="/workflows/$definitionId/compare" params={{ definitionId }} />}
        >
          {menu.compare}
        </Menu.Item>
        <Menu.Item
          leftSection={<History size={15} />}
          renderRoot={(props) => <Link {...props} to="/workflows/$definitionId/versions" params={{ definitionId }} />}
        >
          {menu.versions}
        </Menu.Item>
        <Menu.Item
          leftSection={<ListChecks size={15} />}
          renderRoot={(props) => <Link {...props} to="/instances" search={{ workflow: store.design.definitionId }} />}
        >
          {menu.instances}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
