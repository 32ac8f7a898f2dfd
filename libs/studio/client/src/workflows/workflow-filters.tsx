import { Button, Select } from '@mantine/core';
import { SearchField } from '../parts/search-field.js';
import { listTexts } from '../texts/lists.js';
import { workflowTexts as texts } from '../texts/workflows.js';
import { type WorkflowListSearch, workflowOrigins, workflowStates } from './workflow-search.js';
import css from './workflows-page.module.css';

interface FiltersProps {
  readonly search: WorkflowListSearch;
  readonly onChange: (next: WorkflowListSearch) => void;
}

export function WorkflowFilters({ search, onChange }: FiltersProps) {
  const { q, state, origin } = search;
  return (
    <div className={css.filters} role="search" aria-label={listTexts.filters}>
      <SearchField
        className={css.search}
        label={texts.search}
        value={q ?? ''}
        onChange={(text) => onChange({ q: text || undefined })}
      />
      <Select
        aria-label={texts.filters.state}
        placeholder={texts.filters.state}
        clearable
        w={170}
        value={state ?? null}
        data={workflowStates.map((value) => ({ value, label: texts.filters.states[value] }))}
        onChange={(value) => onChange({ state: (value ?? undefined) as WorkflowListSearch['state'] })}
      />
      <Select
        aria-label={texts.filters.origin}
        placeholder={texts.filters.origin}
        clearable
        w={170}
        value={origin ?? null}
        data={workflowOrigins.map((value) => ({ value, label: texts.filters.origins[value] }))}
        onChange={(value) => onChange({ origin: (value ?? undefined) as WorkflowListSearch['origin'] })}
      />
      {(q || state || origin) && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onChange({ q: undefined, state: undefined, origin: undefined })}
        >
          {listTexts.clearFilters}
        </Button>
      )}
    </div>
  );
}
