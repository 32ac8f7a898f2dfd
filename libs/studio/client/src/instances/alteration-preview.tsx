import { skipToken, useQuery } from '@tanstack/react-query';
import { type Alteration, instancesWithActivityQuery, migrationReportsQuery } from '../api/alterations.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { instanceTexts } from '../texts/instances.js';
import css from './inspector.module.css';

const texts = instanceTexts.alter;

interface PreviewProps {
  readonly ids: readonly string[];
  readonly alteration: Alteration;
}

/** What the alteration will do, and in how many of the instances: asked of the server, which alters nothing for it. */
export function AlterationPreview({ ids, alteration }: PreviewProps) {
  return (
    <section aria-label={texts.will} aria-live="polite">
      <h3 className={css.heading}>{texts.will}</h3>
      {alteration.type === 'Migrate' ? (
        <Migration ids={ids} targetVersion={alteration.targetVersion} />
      ) : alteration.type === 'ModifyVariable' ? (
        <p>{texts.modifies(ids.length)}</p>
      ) : alteration.type === 'ScheduleActivity' ? (
        <p>{texts.schedules(ids.length)}</p>
      ) : (
        <OfActivity ids={ids} alteration={alteration} />
      )}
    </section>
  );
}

function OfActivity({ ids, alteration }: PreviewProps) {
  const activityId = 'activityId' in alteration ? alteration.activityId : undefined;
  const query = instancesWithActivityQuery(ids, activityId ?? '');
  const found = useQuery({ ...query, queryFn: activityId === undefined ? skipToken : query.queryFn! });
  if (failureOf(found)) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  if (found.data.length === 0) return <p>{texts.standsNowhere(ids.length)}</p>;
  const say = alteration.type === 'SkipActivity' ? texts.skips : texts.cancels;
  return <p>{say(found.data.length, ids.length)}</p>;
}

function Migration({ ids, targetVersion }: { readonly ids: readonly string[]; readonly targetVersion: number }) {
  const dryRun = useQuery(migrationReportsQuery(ids, targetVersion));
  if (failureOf(dryRun)) return <ErrorPanel error={dryRun.error} onRetry={() => void dryRun.refetch()} />;
  if (!dryRun.data) return <Loading />;
  const { reports } = dryRun.data;
  const refused = reports.filter(({ isPossible }) => !isPossible);
  const reasons = new Set(refused.flatMap(({ problems }) => problems.map(({ message }) => message)));
  const notes = new Set(reports.flatMap(({ notes: own }) => own));
  return (
    <>
      <p>{texts.migrates(reports.length - refused.length, ids.length)}</p>
      {refused.length > 0 && <p>{texts.cannot(refused.length)}</p>}
      {(reasons.size > 0 || notes.size > 0) && (
        <ul>
          {[...reasons, ...notes].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </>
  );
}
