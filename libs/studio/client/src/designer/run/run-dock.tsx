import { Button, CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Play, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { failureOf } from '../../api/failure-of.js';
import type { BookmarkJson, Instance } from '../../api/instances.js';
import { JsonView } from '../../parts/json-view.js';
import { ErrorPanel } from '../../parts/states.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { type Endpoint, withNew } from '../../run/http-request.js';
import { HttpRun } from '../../run/http-run.js';
import { draftRunTexts as texts } from '../../texts/draft-run.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { findAll, findNode } from '../model/find.js';
import { ENTRIES, useDraftRun } from './draft-run.js';
import { nameOfActivity } from '../../graph/name-of-activity.js';
import { StartForm } from './start-form.js';
import { endpointOf, WaitingItem } from './waiting-item.js';
import css from './run.module.css';

/** Below the canvas: starts the draft as it is drawn, and says what becomes of it while the picture lights up. */
export function RunDock() {
  const { isOpen, setOpen, instanceId } = useDraftRun();
  const { focusCanvas } = useDesigner();
  const version = useDesign((state) => state.standing.version);
  if (!isOpen) return null;
  return (
    <section
      className={css.dock}
      aria-label={texts.title}
      data-run-dock
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        setOpen(false);
        focusCanvas();
      }}
    >
      <header className={css.head}>
        <h2 className={css.title}>{texts.title}</h2>
        <span className={css.soft}>{texts.ofVersion(version)}</span>
        <CloseButton
          size="sm"
          aria-label={texts.close}
          onClick={() => {
            setOpen(false);
            document.querySelector<HTMLElement>('[data-run]')?.focus();
          }}
        />
      </header>
      <div className={css.columns}>
        <StartForm />
        <div className={css.outcome} aria-live="polite">
          {instanceId === undefined ? (
            <p className={css.soft}>{texts.notStarted}</p>
          ) : (
            <Outcome key={instanceId} instanceId={instanceId} />
          )}
        </div>
      </div>
    </section>
  );
}

type Place = Pick<BookmarkJson, 'activityId' | 'activityNodeId'>;

function Outcome({ instanceId }: { readonly instanceId: string }) {
  const { instance, error, steps } = useDraftRun();
  const { store, catalogue, focusCanvas } = useDesigner();
  const endpoints = useEndpoints(instance);
  const failure = failureOf({ data: instance, error });
  if (failure) return <ErrorPanel error={failure} />;
  const show = ({ activityId: id, activityNodeId }: Place) => {
    const found = findNode(findAll(store.design, catalogue), id, activityNodeId);
    if (!found) return;
    store.enter(found.steps, id);
    focusCanvas(id);
  };
  const { bookmarks = [], incidents = [], output = {} } = instance?.workflowState ?? {};
  return (
    <>
      <div className={css.line}>
        {instance ? <StatusBadge status={instance.subStatus} /> : <span className={css.soft}>{texts.starting}</span>}
        <Link to="/instances/$instanceId" params={{ instanceId }}>
          {texts.open}
        </Link>
        <Replay />
      </div>
      {steps.total >= ENTRIES && <p className={css.soft}>{texts.firstEntries(ENTRIES)}</p>}
      {incidents.map(({ activityInstanceId, activityId, activityNodeId, message }) => (
        <p key={activityInstanceId} className={css.failure}>
          <button type="button" className={css.link} onClick={() => show({ activityId, activityNodeId })}>
            {nameOfActivity(store.design.root, { activityId, activityNodeId })}
          </button>{' '}
          {message}
        </p>
      ))}
      {instance?.status === 'Running' &&
        bookmarks.map((bookmark) => (
          <WaitingItem
            key={bookmark.id}
            instance={instance}
            bookmark={bookmark}
            at={nameOfActivity(store.design.root, bookmark)}
            onShow={() => show(bookmark)}
          />
        ))}
      {endpoints.length > 0 && (
        <section className={css.waiting} aria-label={texts.requests}>
          <h3 className={css.heading}>{texts.requests}</h3>
          <HttpRun endpoints={endpoints} />
        </section>
      )}
      {Object.keys(output).length > 0 && (
        <>
          <h3 className={css.heading}>{texts.output}</h3>
          <JsonView value={output} label={texts.output} />
        </>
      )}
    </>
  );
}

/** Endpoints that the run has waited at. They stay when it continues: the answer is shown there. */
function useEndpoints(instance: Instance | undefined): readonly Endpoint[] {
  const [known, setKnown] = useState<readonly Endpoint[]>([]);
  const bookmarks = instance?.workflowState.bookmarks;
  useEffect(() => {
    const found = (bookmarks ?? []).flatMap((bookmark) => endpointOf(bookmark) ?? []);
    setKnown((before) => withNew(before, found));
  }, [bookmarks]);
  return known;
}

/** Through the path once more, or step by step. */
function Replay() {
  const { steps } = useDraftRun();
  const { shown, total, go, play } = steps;
  if (total === 0) return null;
  return (
    <>
      <input
        type="range"
        className={css.range}
        aria-label={texts.step}
        aria-valuetext={texts.stepOf(shown, total)}
        min={0}
        max={total}
        value={shown}
        onChange={(event) => go(Number(event.currentTarget.value))}
      />
      <span className={css.soft}>{texts.stepOf(shown, total)}</span>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={shown < total ? <Play size={12} aria-hidden /> : <RotateCcw size={12} aria-hidden />}
        onClick={play}
      >
        {texts.again}
      </Button>
    </>
  );
}
