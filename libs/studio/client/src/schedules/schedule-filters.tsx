import { Button, Select } from '@mantine/core';
import { SearchField } from '../parts/search-field.js';
import { listTexts } from '../texts/lists.js';
import { scheduleTexts } from '../texts/schedules.js';
import {
  scheduleKinds,
  scheduleOrigins,
  type ScheduleSearch,
  scheduleStates,
  timedStimuli,
} from './schedule-search.js';
import css from './schedules.module.css';

const texts = scheduleTexts.filters;

interface FiltersProps {
  readonly search: ScheduleSearch;
  readonly onChange: (next: ScheduleSearch) => void;
  /** Without it nothing is filtered. */
  readonly onClear: (() => void) | undefined;
}

/** Each list by what it can be asked for. */
export function ScheduleFilters({ search, onChange, onClear }: FiltersProps) {
  return (
    <div className={css.filters} role="search" aria-label={listTexts.filters}>
      {search.view === 'waiting' ? (
        <>
          <SearchField
            label={texts.instance}
            value={search.instance ?? ''}
            onChange={(text) => onChange({ instance: text || undefined })}
          />
          <Choice
            label={texts.activity}
            value={search.activity}
            options={timedStimuli}
            labelOf={(value) => scheduleTexts.stimuli[value] ?? value}
            onChange={(activity) => onChange({ activity })}
          />
        </>
      ) : (
        <>
          <SearchField
            label={texts.definition}
            value={search.workflow ?? ''}
            onChange={(text) => onChange({ workflow: text || undefined })}
          />
          <Choice
            label={texts.kind}
            value={search.kind}
            options={scheduleKinds}
            labelOf={(value) => scheduleTexts.kinds[value]}
            onChange={(kind) => onChange({ kind })}
          />
          <Choice
            label={texts.origin}
            value={search.origin}
            options={scheduleOrigins}
            labelOf={(value) => scheduleTexts.origins[value]}
            onChange={(origin) => onChange({ origin })}
          />
          <Choice
            label={texts.state}
            value={search.state}
            options={scheduleStates}
            labelOf={(value) => scheduleTexts.states[value]}
            onChange={(state) => onChange({ state })}
          />
        </>
      )}
      {onClear && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {listTexts.clearFilters}
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T | undefined;
  readonly options: readonly T[];
  readonly labelOf: (value: T) => string;
  readonly onChange: (value: T | undefined) => void;
}

/** One of a few, or any. */
function Choice<T extends string>({ label, value, options, labelOf, onChange }: ChoiceProps<T>) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      w={150}
      value={value ?? null}
      data={options.map((each) => ({ value: each as string, label: labelOf(each) }))}
      onChange={(next) => onChange((next ?? undefined) as T | undefined)}
    />
  );
}
