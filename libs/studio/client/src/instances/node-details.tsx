import { Button, CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ActivityExecution, executionsQuery } from '../api/instance-records.js';
import type { Instance } from '../api/instances.js';
import type { ActivityJson } from '../api/definitions.js';
import { nameAtNode } from '../graph/name-of-activity.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { duration } from '../parts/times.js';
import { instanceTexts } from '../texts/instances.js';
import { Exception } from './incidents.js';
import { Values } from './values.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;
/** How many executions are shown at first, and more each time. */
const STEP = 50;

interface NodeDetailsProps {
  readonly instance: Instance;
  readonly root: ActivityJson | undefined;
  readonly nodeId: string;
  readonly onClose: () => void;
}

/** What a node did in this instance: each execution with what went in, what came out, and how it failed. */
export function NodeDetails({ instance, root, nodeId, onClose }: NodeDetailsProps) {
  const [taken, setTaken] = useState({ nodeId, count: STEP });
  const count = taken.nodeId === nodeId ? taken.count : STEP;
  const executions = useQuery(executionsQuery(instance.id, nodeId, count));
  const items = executions.data?.items ?? [];
  const total = executions.data?.totalCount ?? 0;
  const known = nameAtNode(root, nodeId);
  // Of a version that is not there any more, the record tells.
  const name = known === nodeId.split(':').at(-1) ? items[0]?.activityName || known : known;
  return (
    <>
      <div className={css.nodeHead}>
        <div>
          <h2>{name}</h2>
          <p className={css.soft}>
            {items[0]?.activityType ?? nodeId}
            {items.length > 0 && ` · ${texts.node.executions(total)}`}
          </p>
        </div>
        <CloseButton aria-label={texts.node.close} onClick={onClose} />
      </div>
      {failureOf(executions) ? (
        <ErrorPanel error={executions.error} onRetry={() => void executions.refetch()} />
      ) : executions.data === undefined ? (
        <Loading />
      ) : items.length === 0 ? (
        <p className={css.soft}>{texts.node.notReached}</p>
      ) : (
        items.map((execution, index) => (
          <Execution key={execution.id} execution={execution} number={total > 1 ? total - index : undefined} />
        ))
      )}
      {items.length < total && (
        <Button
          variant="default"
          size="compact-sm"
          loading={executions.isPlaceholderData}
          onClick={() => setTaken({ nodeId, count: count + STEP })}
        >
          {texts.node.earlier}
        </Button>
      )}
    </>
  );
}

interface ExecutionProps {
  readonly execution: ActivityExecution;
  /** Undefined: the only one. */
  readonly number: number | undefined;
}

function Execution({ execution, number }: ExecutionProps) {
  const { startedAt, completedAt, status, exception, activityState, outputs } = execution;
  const took = completedAt && duration(new Date(completedAt).getTime() - new Date(startedAt).getTime());
  const isFaulted = status === 'Faulted';
  const Heading = number === undefined ? 'h3' : 'h4';
  return (
    <section>
      {number !== undefined && <h3 className={css.heading}>{texts.node.execution(number)}</h3>}
      <p className={css.soft}>
        <span className={isFaulted ? css.faulted : undefined}>{isFaulted ? texts.node.failed : status}</span> ·{' '}
        <Time value={startedAt} />
        {took && ` · ${took}`}
      </p>
      {exception && <Exception exception={exception} />}
      <Heading className={css.heading}>{texts.node.inputs}</Heading>
      <Values values={activityState} />
      <Heading className={css.heading}>{texts.node.outputs}</Heading>
      <Values values={outputs} />
    </section>
  );
}
