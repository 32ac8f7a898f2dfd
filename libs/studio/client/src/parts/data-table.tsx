import { Checkbox, VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './data-table.module.css';

export interface Column<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** If true, for those who hear it only. */
  readonly isTitleHidden?: boolean;
  /** Name by which the server sorts; none: this column cannot be sorted by. */
  readonly sort?: string | undefined;
  /** If true, left out on a small tablet. `soon`: on a small screen as well. `late`: on a phone only. */
  readonly isMinor?: boolean | 'soon' | 'late';
  /** If true, as narrow as its content. */
  readonly isNarrow?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly isDescending: boolean;
  readonly onChange: (by: string, isDescending: boolean) => void;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  readonly allLabel: string;
  readonly labelOf: (id: string) => string;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  readonly sorting?: Sorting;
  readonly selection?: Selection;
  /** If true, what is shown is being asked for again. */
  readonly isStale?: boolean;
}

/** A page of rows: sortable by its headings, selectable, narrow on a phone. */
export function DataTable<T>({ label, columns, rows, idOf, sorting, selection, isStale }: DataTableProps<T>) {
  return (
    <div className={css.scroller} data-stale={isStale || undefined}>
      <table className={css.table} aria-label={label} aria-busy={isStale ?? false}>
        <thead>
          <tr>
            {selection && (
              <th className={css.check} scope="col">
                <AllCheckbox selection={selection} ids={rows.map(idOf)} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} data-selected={selection?.ids.has(idOf(row)) || undefined}>
              {selection && (
                <td className={css.check}>
                  <RowCheckbox selection={selection} id={idOf(row)} />
                </td>
              )}
              {columns.map(({ id, cell, isMinor, isNarrow }) => (
                <td key={id} data-minor={isMinor || undefined} data-narrow={isNarrow || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading<T>({ column, sorting }: { readonly column: Column<T>; readonly sorting: Sorting | undefined }) {
  const { title, isTitleHidden, sort, isMinor, isNarrow } = column;
  const isSorted = sort !== undefined && sorting?.by === sort;
  const direction = isSorted ? (sorting?.isDescending ? 'descending' : 'ascending') : undefined;
  const Arrow = sorting?.isDescending ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={direction} data-minor={isMinor || undefined} data-narrow={isNarrow || undefined}>
      {sort !== undefined && sorting ? (
        <button
          type="button"
          className={css.sort}
          onClick={() => sorting.onChange(sort, isSorted ? !sorting.isDescending : false)}
        >
          {title}
          {isSorted && <Arrow size={13} aria-hidden />}
        </button>
      ) : isTitleHidden ? (
        <VisuallyHidden>{title}</VisuallyHidden>
      ) : (
        title
      )}
    </th>
  );
}

function AllCheckbox({ selection, ids }: { readonly selection: Selection; readonly ids: readonly string[] }) {
  const count = ids.filter((id) => selection.ids.has(id)).length;
  const isAll = count > 0 && count === ids.length;
  return (
    <Checkbox
      size="xs"
      aria-label={selection.allLabel}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => {
        const next = new Set(selection.ids);
        for (const id of ids)
          if (isAll) next.delete(id);
          else next.add(id);
        selection.onChange(next);
      }}
    />
  );
}

function RowCheckbox({ selection, id }: { readonly selection: Selection; readonly id: string }) {
  return (
    <Checkbox
      size="xs"
      aria-label={selection.labelOf(id)}
      checked={selection.ids.has(id)}
      onChange={({ currentTarget }) => {
        const next = new Set(selection.ids);
        if (currentTarget.checked) next.add(id);
        else next.delete(id);
        selection.onChange(next);
      }}
    />
  );
}
