import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.js';
import { versionListQuery } from '../../api/definitions.js';
import { manyOptions } from '../../parts/many-options.js';
import { activityDescriptorsQuery } from '../../api/descriptors.js';
import { failureOf } from '../../api/failure-of.js';
import { loadVersion } from '../../api/designs.js';
import { EmptyState, ErrorPanel, Loading } from '../../parts/states.js';
import { Page } from '../../parts/page.js';
import { compareTexts as texts } from '../../texts/compare.js';
import { workflowTexts } from '../../texts/workflows.js';
import { ActivityCatalogue } from '../model/descriptors.js';
import { parseExactly } from '../../api/exact-json.js';
import { compare } from './diff.js';
import { DifferenceList } from './difference-list.js';
import { DifferencePicture } from './difference-picture.js';
import css from './compare.module.css';

const route = getRouteApi('/workflows/$definitionId/compare');

const versionQuery = (id: string | undefined) => ({
  queryKey: ['design', 'version', id],
  queryFn: () => loadVersion(id!, parseExactly),
  enabled: id !== undefined,
});

/** Two versions of a definition on one picture, and in words. */
export function ComparePage() {
  const { definitionId } = route.useParams();
  const { from, to } = route.useSearch();
  const navigate = useNavigate({ from: '/workflows/$definitionId/compare' });
  const versions = useQuery(versionListQuery(definitionId));
  const descriptors = useQuery(activityDescriptorsQuery);
  const [selected, setSelected] = useState<{ key: string; parent: string }>();
  /** Names on the way to what the picture shows. */
  const trail = (found: { readonly key: string }) =>
    differences?.activities.find(({ key }) => key === found.key)?.trail ?? [];
  const items = versions.data?.items ?? [];
  const byNumber = (number: string | undefined) => items.find(({ version }) => String(version) === number);
  const newer = byNumber(to) ?? items[0];
  const older = byNumber(from) ?? items.find(({ version }) => newer && version < newer.version) ?? items[1];
  const [before, after] = [useQuery(versionQuery(older?.id)), useQuery(versionQuery(newer?.id))];
  const differences = useMemo(
    () => (before.data && after.data ? compare(before.data, after.data) : undefined),
    [before.data, after.data],
  );
  const catalogue = useMemo(() => new ActivityCatalogue(descriptors.data ?? []), [descriptors.data]);
  // They only name the types: who may not read them compares all the same, as with the picture of a workflow.
  const isWithoutNames = descriptors.error instanceof ApiError && descriptors.error.status === 403;
  const asked = isWithoutNames ? [versions, before, after] : [versions, before, after, descriptors];
  const failed = asked.find((question) => failureOf(question));
  const name = items[0]?.name || definitionId;
  const options = manyOptions(items.map(({ version }) => ({ value: String(version), label: texts.version(version) })));
  return (
    <Page
      fills
      title={texts.title}
      trail={
        <>
          <Link to="/workflows">{workflowTexts.title}</Link> /{' '}
          <Link to="/workflows/$definitionId" params={{ definitionId }}>
            {name}
          </Link>
        </>
      }
      actions={
        <div className={css.choices}>
          <Select
            size="xs"
            label={texts.from}
            {...options}
            value={older ? String(older.version) : null}
            allowDeselect={false}
            onChange={(next) => void navigate({ search: { from: next ?? undefined, to } })}
          />
          <Select
            size="xs"
            label={texts.to}
            {...options}
            value={newer ? String(newer.version) : null}
            allowDeselect={false}
            onChange={(next) => void navigate({ search: { from, to: next ?? undefined } })}
          />
        </div>
      }
    >
      {failed ? (
        <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />
      ) : versions.data && items.length < 2 ? (
        <EmptyState title={texts.onlyOne} />
      ) : !differences || !before.data || !after.data || (!descriptors.data && !isWithoutNames) ? (
        <Loading />
      ) : (
        <div className={css.body}>
          <div className={css.picture}>
            <DifferencePicture
              from={before.data}
              to={after.data}
              differences={differences}
              catalogue={catalogue}
              parent={selected?.parent}
              selected={selected?.key}
            />
            {selected && trail(selected).length > 0 && (
              <nav className={css.level} aria-label={texts.level}>
                <button type="button" onClick={() => setSelected(undefined)}>
                  {texts.workflow}
                </button>
                <strong>{trail(selected).join(' › ')}</strong>
              </nav>
            )}
          </div>
          <section className={css.side} aria-label={texts.list} tabIndex={0}>
            <DifferenceList
              differences={differences}
              selected={selected?.key}
              onSelect={(key, parent) => setSelected({ key, parent })}
            />
          </section>
        </div>
      )}
    </Page>
  );
}
