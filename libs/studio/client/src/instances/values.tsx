import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { journalValueQuery } from '../api/instance-records.js';
import { JsonView } from '../parts/json-view.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel } from '../parts/states.js';
import { instanceTexts } from '../texts/instances.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;

/** Named values; a marker of the wire format is left out. */
export function Values({ values = {} }: { readonly values?: Readonly<Record<string, unknown>> | undefined }) {
  const entries = Object.entries(values).filter(([name]) => name !== '_type');
  if (entries.length === 0) return <p className={css.soft}>{texts.nothing}</p>;
  return (
    <ul className={css.values}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <div className={css.valueName}>{name}</div>
          <Value name={name} value={value} />
        </li>
      ))}
    </ul>
  );
}

/** In the place of a large value the API says where it is, or what it was. */
export function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const omitted = asOmitted(value);
  if (omitted) return <OmittedValue {...omitted} name={name} />;
  const reference = asReference(value);
  return reference ? <LargeValue {...reference} name={name} /> : <JsonView value={value} label={name} />;
}

interface Reference {
  readonly href: string;
  readonly bytes: number;
}

function asReference(value: unknown): Reference | undefined {
  const { journalValue, href, bytes } = (value ?? {}) as Partial<Reference & { journalValue: string }>;
  return typeof journalValue === 'string' && typeof href === 'string' ? { href, bytes: bytes ?? 0 } : undefined;
}

interface Omitted {
  readonly bytes: number;
  readonly kind: string;
  readonly start: string;
}

function asOmitted(value: unknown): Omitted | undefined {
  const { omittedValue, bytes, kind, start } = (value ?? {}) as Partial<Omitted & { omittedValue: string }>;
  if (typeof omittedValue !== 'string' || typeof start !== 'string') return undefined;
  return { bytes: bytes ?? 0, kind: kind ?? '', start };
}

/** The store has kept no more than its beginning. */
function OmittedValue({ bytes, kind, start, name }: Omitted & { readonly name: string }) {
  return (
    <>
      <p className={css.soft}>{texts.omittedValue(kind, bytes)}</p>
      <JsonView value={`${start}…`} label={name} />
    </>
  );
}

function LargeValue({ href, bytes, name }: Reference & { readonly name: string }) {
  const [isWanted, setWanted] = useState(false);
  const found = useQuery({ ...journalValueQuery(href), enabled: isWanted });
  if (failureOf(found)) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data) return <Value value={found.data.value} name={name} />;
  return (
    <p className={css.soft}>
      {texts.largeValue(bytes)}{' '}
      <Button size="compact-sm" variant="default" loading={found.isFetching} onClick={() => setWanted(true)}>
        {texts.loadValue}
      </Button>
    </p>
  );
}
