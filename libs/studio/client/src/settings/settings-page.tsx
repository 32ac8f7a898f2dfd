import { useQuery } from '@tanstack/react-query';
import { featuresQuery, versionOfServerQuery } from '../api/runtime.js';
import { config } from '../app/config.js';
import { DataTable } from '../parts/data-table.js';
import { Page } from '../parts/page.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { settingsTexts as texts } from '../texts/operations.js';
import { NodesSection } from './nodes-section.js';
import { PlansSection } from './plans-section.js';
import { RuntimeSection } from './runtime-section.js';
import { UsersSection } from './users-section.js';
import css from './settings.module.css';
import { May } from '../parts/may.js';
import { READ_RUNTIME } from '../api/permissions.js';

/** What this server is and can do, and the switch that stops it from working. */
export function SettingsPage() {
  return (
    <Page help="settings" title={texts.title}>
      <May permission={READ_RUNTIME}>
        <RuntimeSection />
        <NodesSection />
      </May>
      <May permission="read:bulk-plans">
        <PlansSection />
      </May>
      <UsersSection />
      <Version />
      <Features />
    </Page>
  );
}

function Version() {
  const version = useQuery(versionOfServerQuery());
  return (
    <section className={css.section}>
      <h2 className={css.heading}>{texts.about}</h2>
      <dl className={css.facts}>
        <div>
          <dt>{texts.version}</dt>
          <dd>{version.data?.packageVersion}</dd>
        </div>
        <div>
          <dt>{texts.licences}</dt>
          <dd>
            <a href={`${config.base}/third-party-licences.txt`} target="_blank" rel="noreferrer">
              {texts.licencesLink}
            </a>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Features() {
  const features = useQuery(featuresQuery());
  return (
    <section>
      <h2 className={css.heading}>{texts.features}</h2>
      {failureOf(features) ? (
        <ErrorPanel error={features.error} onRetry={() => void features.refetch()} />
      ) : features.data ? (
        <DataTable
          label={texts.features}
          rows={features.data.items}
          idOf={({ fullName }) => fullName}
          columns={[
            {
              id: 'name',
              title: texts.feature,
              cell: ({ displayName, fullName }) => (
                <>
                  <div className={css.name}>{displayName}</div>
                  <div className={css.soft}>{fullName}</div>
                </>
              ),
            },
            { id: 'description', title: texts.description, cell: ({ description }) => description },
          ]}
        />
      ) : (
        <Loading />
      )}
    </section>
  );
}
