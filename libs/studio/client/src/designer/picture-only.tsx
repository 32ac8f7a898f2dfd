import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DefinitionModel, versionQuery } from '../api/definitions.js';
import { failureOf } from '../api/failure-of.js';
import { WorkflowGraph } from '../graph/workflow-graph.js';
import { Page } from '../parts/page.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { designerTexts as texts } from '../texts/designer.js';
import { workflowTexts } from '../texts/workflows.js';
import css from './designer.module.css';

/** For those who may read a definition, and not what its activities are made of, without which nothing of it can be edited. */
export function PictureOnly({ id, definitionId, name }: Pick<DefinitionModel, 'id' | 'definitionId' | 'name'>) {
  // Not what the designer has read: its numbers are kept as they are written.
  const version = useQuery(versionQuery(id));
  return (
    <Page fills title={name || definitionId} trail={<Link to="/workflows">{workflowTexts.title}</Link>}>
      <p className={css.note}>{texts.pictureOnly}</p>
      <div className={css.picture}>
        {failureOf(version) ? (
          <ErrorPanel error={version.error} onRetry={() => void version.refetch()} />
        ) : version.data === undefined ? (
          <Loading />
        ) : (
          <WorkflowGraph root={version.data.root} />
        )}
      </div>
    </Page>
  );
}
