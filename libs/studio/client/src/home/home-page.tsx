import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useOperationsPolling } from '../api/live/live.js';
import { runtimeStatusQuery } from '../api/runtime.js';
import { Page } from '../parts/page.js';
import { RunWorkflow } from '../run/run-workflow.js';
import { homeTexts as texts } from '../texts/operations.js';
import { Counts } from './counts.js';
import { Figures } from './figures.js';
import { FailingWorkflows } from './failing-workflows.js';
import { DueNext } from './due-next.js';
import { NewestFailures, WaitingLongest } from './instance-lists.js';
import { POLL_MS } from './poll.js';
import css from './home.module.css';
import { May } from '../parts/may.js';
import { READ_INSTANCES, READ_RUNTIME, useMay } from '../api/permissions.js';

/** What runs, waits and fails now, at one look. */
export function HomePage() {
  const [isRunning, setRunning] = useState(false);
  return (
    <Page
      help="home"
      title={texts.title}
      actions={
        <May permission="exec:workflow-definitions">
          <Button leftSection={<Play size={14} aria-hidden />} onClick={() => setRunning(true)}>
            {texts.run}
          </Button>
        </May>
      }
    >
      <RuntimeNotice />
      <Counts />
      <Figures />
      <div className={css.lists}>
        <May permission={READ_INSTANCES}>
          <NewestFailures />
        </May>
        <FailingWorkflows />
        <May permission={READ_INSTANCES}>
          <WaitingLongest />
        </May>
        <DueNext />
      </div>
      {isRunning && <RunWorkflow onClose={() => setRunning(false)} />}
    </Page>
  );
}

/** Only when this server takes no work; a person who may not see that has the rest of the page. */
function RuntimeNotice() {
  const mayRead = useMay(...READ_RUNTIME);
  const { data } = useQuery({
    ...runtimeStatusQuery(),
    enabled: mayRead,
    refetchInterval: useOperationsPolling(POLL_MS),
  });
  if (!data || data.state.isAcceptingNewWork) return null;
  return (
    <p className={css.notice} role="status">
      <Pause size={16} aria-hidden />
      <span>{data.state.reason === 'Drain' ? texts.draining : texts.paused}</span>
      <Link to="/settings">{texts.toSettings}</Link>
    </p>
  );
}
