import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { type DeadLetter, isMessage, type LetterSource, letterQuery } from '../api/dead-letters.js';
import { Dialog } from '../parts/dialog.js';
import { JsonView } from '../parts/json-view.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { deadLetterTexts as texts } from '../texts/dead-letters.js';
import type { LetterAction } from './letter-dialogs.js';
import { nameOf } from './letter-columns.js';
import css from './dead-letters.module.css';
import { May } from '../parts/may.js';

interface LookProps {
  readonly source: LetterSource;
  readonly id: string;
  readonly onAct: (action: LetterAction) => void;
  readonly onClose: () => void;
}

/** Everything that is known of one dead letter. */
export function LetterLook({ source, id, onAct, onClose }: LookProps) {
  const letter = useQuery(letterQuery(source, id));
  return (
    <Dialog title={letter.data ? nameOf(letter.data) : texts.one.title} size="lg" onClose={onClose}>
      {failureOf(letter) ? (
        <ErrorPanel error={letter.error} onRetry={() => void letter.refetch()} />
      ) : letter.data ? (
        <>
          <Facts letter={letter.data} />
          <div className={css.actions}>
            <May permission={`delete:${source}:dead-letters`}>
              <Button color="red.8" leftSection={<Trash2 size={14} aria-hidden />} onClick={() => onAct('delete')}>
                {texts.actions.delete}
              </Button>
            </May>
            <May permission={`replay:${source}:dead-letters`}>
              <Button
                leftSection={<RotateCcw size={14} aria-hidden />}
                disabled={!isMessage(letter.data) && !letter.data.canReplay}
                onClick={() => onAct('replay')}
              >
                {texts.actions.replay}
              </Button>
            </May>
          </div>
        </>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

function Facts({ letter }: { readonly letter: DeadLetter }) {
  const { id, workflowInstanceId, attempts, createdAt, lastError } = letter;
  const instance = workflowInstanceId && (
    <Link to="/instances/$instanceId" params={{ instanceId: workflowInstanceId }}>
      {workflowInstanceId}
    </Link>
  );
  const facts: readonly (readonly [string, ReactNode])[] = [
    [texts.one.id, <code key="id">{id}</code>],
    [texts.one.instance, instance],
    ...(isMessage(letter)
      ? [[texts.one.kind, <code key="kind">{letter.kind}</code>] as const]
      : ([
          [texts.one.correlation, letter.correlationId],
          [texts.one.bookmark, letter.bookmarkId],
          [texts.one.reason, texts.reasons[letter.reason]],
          [texts.one.given, <Time key="given" value={letter.deadLetteredAt} />],
          [texts.one.replayed, letter.replayedAt && <Time key="replayed" value={letter.replayedAt} />],
        ] as const)),
    [texts.one.attempts, String(attempts)],
    [texts.one.created, <Time key="created" value={createdAt} />],
  ];
  return (
    <>
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <h3 className={css.heading}>{texts.one.error}</h3>
      {lastError ? <p className={css.error}>{lastError}</p> : <p className={css.soft}>{texts.noError}</p>}
      <h3 className={css.heading}>{isMessage(letter) ? texts.one.payload : texts.one.input}</h3>
      <JsonView
        value={isMessage(letter) ? letter.payload : letter.input}
        label={isMessage(letter) ? texts.one.payload : texts.one.input}
      />
    </>
  );
}
