import { Button } from '@mantine/core';
import type { LetterSource } from '../api/dead-letters.js';
import { MomentFilter } from '../parts/filter-field.js';
import { SearchField } from '../parts/search-field.js';
import { deadLetterTexts } from '../texts/dead-letters.js';
import { listTexts } from '../texts/lists.js';
import type { DeadLetterSearch } from './dead-letter-search.js';
import css from './dead-letters.module.css';

const texts = deadLetterTexts.filters;

interface FiltersProps {
  readonly source: LetterSource;
  readonly search: DeadLetterSearch;
  readonly onChange: (next: DeadLetterSearch) => void;
  /** Without it nothing is filtered. */
  readonly onClear: (() => void) | undefined;
}

/** Each list by what it can be asked for. */
export function LetterFilters({ source, search, onChange, onClear }: FiltersProps) {
  return (
    <div className={css.filters} role="search" aria-label={listTexts.filters}>
      {source === 'outbox' ? (
        <>
          <SearchField
            label={texts.kind}
            value={search.kind ?? ''}
            onChange={(text) => onChange({ kind: text || undefined })}
          />
          <SearchField
            label={texts.errorCode}
            value={search.error ?? ''}
            onChange={(text) => onChange({ error: text || undefined })}
          />
          <MomentFilter
            aria-label={texts.from}
            leftSection={<span aria-hidden>{texts.shortFrom}</span>}
            leftSectionWidth={48}
            value={search.from}
            onChange={(from) => onChange({ from })}
          />
          <MomentFilter
            aria-label={texts.to}
            leftSection={<span aria-hidden>{texts.shortTo}</span>}
            leftSectionWidth={48}
            value={search.to}
            onChange={(to) => onChange({ to })}
          />
        </>
      ) : (
        <SearchField
          label={texts.instance}
          value={search.instance ?? ''}
          onChange={(text) => onChange({ instance: text || undefined })}
        />
      )}
      {onClear && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {listTexts.clearFilters}
        </Button>
      )}
    </div>
  );
}
