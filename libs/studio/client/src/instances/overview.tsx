import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ArgumentJson, versionQuery } from '../api/definitions.js';
import { isKept } from '../api/storage.js';
import type { Instance } from '../api/instances.js';
import { Time } from '../parts/time.js';
import { duration } from '../parts/times.js';
import { instanceTexts } from '../texts/instances.js';
import { Values } from './values.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;

/** Who it is, when it ran, what went in and came out. */
export function Overview({ instance }: { readonly instance: Instance }) {
  const workflow = useQuery(versionQuery(instance.definitionVersionId));
  const { id, definitionId, version, correlationId, createdAt, updatedAt, finishedAt, workflowState } = instance;
  return (
    <>
      <dl className={css.facts}>
        <Fact name={texts.id}>{id}</Fact>
        <Fact name={texts.workflow}>
          <Link to="/workflows/$definitionId" params={{ definitionId }}>
            {workflow.data?.name || definitionId} v{version}
          </Link>
        </Fact>
        {correlationId && <Fact name={texts.correlation}>{correlationId}</Fact>}
        <Fact name={texts.created}>
          <Time value={createdAt} />
        </Fact>
        <Fact name={texts.updated}>
          <Time value={updatedAt} />
        </Fact>
        {finishedAt && (
          <>
            <Fact name={texts.finished}>
              <Time value={finishedAt} />
            </Fact>
            <Fact name={texts.took}>{duration(new Date(finishedAt).getTime() - new Date(createdAt).getTime())}</Fact>
          </>
        )}
      </dl>
      <h3 className={css.heading}>{texts.input}</h3>
      <Input given={workflowState.input} declared={workflow.data?.inputs} />
      <h3 className={css.heading}>{texts.output}</h3>
      <Values values={workflowState.output} />
    </>
  );
}

interface InputProps {
  readonly given: Readonly<Record<string, unknown>>;
  /** Undefined: not known. */
  readonly declared: readonly ArgumentJson[] | undefined;
}

/** What it was started with, and what of that was not kept: it would look as if nothing had been given. */
function Input({ given, declared = [] }: InputProps) {
  const lost = declared.filter(({ storageDriverType }) => !isKept(storageDriverType));
  const isNone = Object.keys(given).length === 0;
  return (
    <>
      {!isNone && <Values values={given} />}
      {lost.length > 0 && <p className={css.soft}>{texts.inputNotKept(lost.map(({ name }) => name))}</p>}
      {isNone && lost.length === 0 && <p className={css.soft}>{texts.noInput}</p>}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
