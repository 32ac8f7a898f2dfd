import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import type { ActivityJson } from '../api/definitions.js';
import { nameOfActivity } from '../graph/name-of-activity.js';
import { type BookmarkJson, type Instance, instancesKey } from '../api/instances.js';
import { resumeBookmark } from '../api/instance-changes.js';
import { JsonView } from '../parts/json-view.js';
import { TimeSince } from '../parts/time.js';
import { notify } from '../parts/toasts.js';
import { instanceTexts } from '../texts/instances.js';
import { JsonDialog } from './json-dialog.js';
import css from './inspector.module.css';
import { May } from '../parts/may.js';

const texts = instanceTexts.page;

interface WaitingProps {
  readonly instance: Instance;
  /** Of its definition, where that is known. */
  readonly root: ActivityJson | undefined;
}

/** What it waits for, and the way to continue without that. */
export function Waiting({ instance, root }: WaitingProps) {
  const { id, workflowState } = instance;
  const client = useQueryClient();
  const [resuming, setResuming] = useState<BookmarkJson>();
  const { bookmarks } = workflowState;
  if (bookmarks.length === 0) return <p className={css.soft}>{texts.noBookmarks}</p>;
  return (
    <>
      <ul className={css.values}>
        {bookmarks.map((bookmark) => (
          <li key={bookmark.id} className={css.card}>
            <div className={css.cardTitle}>
              {nameOfActivity(root, bookmark)}
              <May permission="resume:workflow-instances">
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<Play size={12} />}
                  onClick={() => setResuming(bookmark)}
                >
                  {texts.resume}
                </Button>
              </May>
            </div>
            <p className={css.soft}>
              {bookmark.name} · {texts.waitsFor} <TimeSince value={bookmark.createdAt} />
            </p>
            {bookmark.payload !== undefined && <JsonView value={bookmark.payload} label={bookmark.name} />}
          </li>
        ))}
      </ul>
      {resuming && (
        <JsonDialog
          instance={instance}
          title={texts.resumeTitle}
          lead={texts.resumeLead(nameOfActivity(root, resuming))}
          label={texts.resumeInput}
          action={texts.resume}
          value=""
          onConfirm={async (input) => {
            await resumeBookmark(id, resuming.id, input as object | undefined);
            await client.invalidateQueries({ queryKey: instancesKey });
            notify(texts.resumed);
          }}
          onClose={() => setResuming(undefined)}
        />
      )}
    </>
  );
}
