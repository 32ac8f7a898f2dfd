import { Button, Select } from '@mantine/core';
import { MomentFilter } from '../parts/filter-field.js';
import { SearchField } from '../parts/search-field.js';
import { auditTexts } from '../texts/audit.js';
import { listTexts } from '../texts/lists.js';
import { actorKinds, type AuditSearch, outcomes } from './audit-search.js';
import css from './audit.module.css';

const texts = auditTexts.filters;

interface FiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (next: AuditSearch) => void;
  /** Without it nothing is filtered. */
  readonly onClear: (() => void) | undefined;
}

export function AuditFilters({ search, onChange, onClear }: FiltersProps) {
  return (
    <div className={css.filters} role="search" aria-label={listTexts.filters}>
      {(['actor', 'action', 'target'] as const).map((name) => (
        <SearchField
          key={name}
          className={css.field}
          label={texts[name]}
          hint={texts.hints[name]}
          value={search[name] ?? ''}
          onChange={(text) => onChange({ [name]: text || undefined })}
        />
      ))}
      <Select
        aria-label={texts.kind}
        placeholder={texts.kind}
        clearable
        w={150}
        data={actorKinds.map((value) => ({ value, label: auditTexts.kinds[value] }))}
        value={search.kind ?? null}
        onChange={(value) => onChange({ kind: (value ?? undefined) as AuditSearch['kind'] })}
      />
      <Select
        aria-label={texts.outcome}
        placeholder={texts.outcome}
        clearable
        w={140}
        data={outcomes.map((value) => ({ value, label: auditTexts.outcomes[value] }))}
        value={search.outcome ?? null}
        onChange={(value) => onChange({ outcome: (value ?? undefined) as AuditSearch['outcome'] })}
      />
      {(['from', 'to'] as const).map((name) => (
        <MomentFilter
          key={name}
          aria-label={texts[name]}
          leftSection={<span aria-hidden>{texts[name]}</span>}
          leftSectionWidth={48}
          value={search[name]}
          onChange={(text) => onChange({ [name]: text })}
        />
      ))}
      {onClear && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {listTexts.clearFilters}
        </Button>
      )}
    </div>
  );
}
