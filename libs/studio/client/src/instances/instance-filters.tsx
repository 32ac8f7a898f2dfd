import { Button, MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { definitionListQuery } from '../api/definitions.js';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { FilterField, MomentFilter } from '../parts/filter-field.js';
import { SearchField } from '../parts/search-field.js';
import { instanceTexts } from '../texts/instances.js';
import { listTexts } from '../texts/lists.js';
import { statusTexts } from '../texts/shell.js';
import type { SubStatus } from '../parts/status.js';
import { type InstanceListSearch, subStatuses, timeColumns } from './instance-search.js';
import css from './instances-page.module.css';

const texts = instanceTexts.filters;
/** Of the definitions that are offered by name; others are found by the search. */
const OFFERED = 1000;

interface FiltersProps {
  readonly search: InstanceListSearch;
  readonly onChange: (next: InstanceListSearch) => void;
  /** Without it nothing is filtered. */
  readonly onClear?: () => void;
}

export function InstanceFilters({ search, onChange, onClear }: FiltersProps) {
  const { version, correlation, time, from, to, parent } = search;
  // Open at first where one of them is set: a list that is short for an unseen reason misleads.
  const [isMore, setMore] = useState(
    [version, correlation, time, from, to, parent].some((value) => value !== undefined),
  );
  const [isOpened, setOpened] = useState(false);
  const definitions = useQuery({
    ...definitionListQuery({ versionOptions: 'Latest', pageSize: OFFERED }),
    staleTime: 60_000,
    // Their names are needed when one is chosen, or to be chosen from.
    enabled: isOpened || search.workflow !== undefined,
  });
  const workflows = (definitions.data?.items ?? []).map(({ definitionId, name }) => ({
    value: definitionId,
    label: name || definitionId,
  }));
  // One that has been deleted is still what the address filters by.
  if (search.workflow !== undefined && !workflows.some(({ value }) => value === search.workflow))
    workflows.unshift({ value: search.workflow, label: search.workflow });
  return (
    <div className={css.filters} role="search" aria-label={listTexts.filters}>
      <SearchField
        className={css.search}
        label={instanceTexts.search}
        value={search.q ?? ''}
        onChange={(text) => onChange({ q: text || undefined })}
      />
      <Select
        aria-label={texts.workflow}
        placeholder={texts.workflow}
        searchable
        clearable
        w={190}
        limit={50}
        onDropdownOpen={() => setOpened(true)}
        data={workflows}
        value={search.workflow ?? null}
        onChange={(value) => onChange({ workflow: value ?? undefined, version: undefined })}
      />
      <MultiSelect
        aria-label={texts.status}
        placeholder={search.status ? '' : texts.status}
        clearable
        miw={150}
        maw={340}
        data={subStatuses.map((value) => ({ value, label: statusTexts[value] }))}
        value={[...(search.status ?? [])]}
        onChange={(values) => onChange({ status: values.length > 0 ? (values as SubStatus[]) : undefined })}
      />
      <Select
        aria-label={texts.incidents}
        placeholder={texts.incidents}
        clearable
        w={150}
        data={[
          { value: 'yes', label: texts.withIncidents },
          { value: 'no', label: texts.withoutIncidents },
        ]}
        value={search.incidents ?? null}
        onChange={(value) => onChange({ incidents: (value ?? undefined) as InstanceListSearch['incidents'] })}
      />
      <Button
        variant="default"
        aria-expanded={isMore}
        rightSection={isMore ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        onClick={() => setMore(!isMore)}
      >
        {texts.more}
      </Button>
      {onClear && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {listTexts.clearFilters}
        </Button>
      )}
      {isMore && <MoreFilters search={search} onChange={onChange} />}
    </div>
  );
}

/** What is asked for less often. */
function MoreFilters({ search, onChange }: FiltersProps) {
  return (
    <div className={css.more}>
      <FilterField
        inputMode="numeric"
        w={100}
        aria-label={texts.version}
        placeholder={texts.version}
        value={search.version}
        read={(typed) => typed.replaceAll(/\D/g, '')}
        onChange={(text) => onChange({ version: text })}
      />
      <SearchField
        label={texts.correlation}
        value={search.correlation ?? ''}
        onChange={(text) => onChange({ correlation: text || undefined })}
      />
      <Select
        aria-label={texts.time}
        allowDeselect={false}
        w={110}
        data={timeColumns.map((value) => ({ value, label: texts.times[value] }))}
        value={search.time ?? 'created'}
        onChange={(value) =>
          onChange({ time: value === 'created' ? undefined : (value as InstanceListSearch['time']) })
        }
      />
      <MomentFilter aria-label={texts.from} value={search.from} onChange={(from) => onChange({ from })} />
      <MomentFilter aria-label={texts.to} value={search.to} onChange={(to) => onChange({ to })} />
      {search.parent !== undefined && (
        <SearchField
          label={texts.parent}
          value={search.parent}
          onChange={(text) => onChange({ parent: text || undefined })}
        />
      )}
    </div>
  );
}
