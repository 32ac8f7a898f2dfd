import { useNavigate } from '@tanstack/react-router';
import { BadgeCheck, CircleDot, FileJson, Globe, ListOrdered, type LucideIcon, MoonStar } from 'lucide-react';
import { workflowTexts as texts } from '../texts/workflows.js';
import type { TemplateName } from './templates.js';
import { useCreateWorkflow } from './use-create-workflow.js';
import { ErrorPanel } from '../parts/states.js';
import css from './templates.module.css';

export const templateIcons: Readonly<Record<TemplateName, LucideIcon>> = {
  empty: FileJson,
  sequence: ListOrdered,
  http: Globe,
  approval: BadgeCheck,
  nightly: MoonStar,
  machine: CircleDot,
};

/** What a list without workflows offers: one click, and there is something to look at. */
export function Templates() {
  const navigate = useNavigate();
  const create = useCreateWorkflow(
    (definitionId) => void navigate({ to: '/workflows/$definitionId', params: { definitionId } }),
  );
  return (
    <section className={css.empty} aria-labelledby="first-workflow">
      <h2 id="first-workflow">{texts.empty.title}</h2>
      <p>{texts.empty.lead}</p>
      {create.isError && <ErrorPanel error={create.error} />}
      <div className={css.cards}>
        {(['http', 'approval', 'nightly', 'machine'] as const).map((template) => {
          const Icon = templateIcons[template];
          const { name, about } = texts.create.templates[template];
          return (
            <button
              key={template}
              type="button"
              className={css.card}
              disabled={create.isPending}
              onClick={() => create.mutate({ name, template })}
            >
              <Icon size={22} aria-hidden />
              <strong>{name}</strong>
              <span>{about}</span>
            </button>
          );
        })}
      </div>
    </section>
  );
}
