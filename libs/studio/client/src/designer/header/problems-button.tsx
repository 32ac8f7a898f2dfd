import { Button, Popover } from '@mantine/core';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { designerTexts } from '../../texts/designer.js';
import type { DefinitionProblem } from '../../api/designs.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { findAll } from '../model/find.js';
import { problemFinder } from '../model/find-problem.js';
import { nameOf } from '../canvas/names.js';
import css from './header.module.css';

const texts = designerTexts.problems;

/** What keeps the workflow from being published, and what goes wrong when it runs: in the words of the server, each with the way to it. */
export function ProblemsButton() {
  const problems = useDesign((state) => state.problems);
  const warnings = useDesign((state) => state.warnings);
  const [isOpen, setOpen] = useState(false);
  const hasProblems = problems.length > 0;
  const hasWarnings = warnings.length > 0;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={380} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={
            hasProblems ? (
              <CircleAlert size={15} className={css.bad} aria-hidden />
            ) : hasWarnings ? (
              <TriangleAlert size={15} className={css.doubtful} aria-hidden />
            ) : (
              <CircleCheck size={15} className={css.good} aria-hidden />
            )
          }
          onClick={() => setOpen(!isOpen)}
        >
          {hasProblems
            ? texts.count(problems.length)
            : hasWarnings
              ? texts.countWarnings(warnings.length)
              : texts.title}
        </Button>
      </Popover.Target>
      {/* Drawn while it is open only: of a large workflow there may be hundreds. */}
      <Popover.Dropdown aria-label={texts.title}>
        {isOpen && <Problems onClose={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Problems({ onClose }: { readonly onClose: () => void }) {
  const { store, catalogue, focusCanvas } = useDesigner();
  const design = useDesign(() => store.design);
  const problems = useDesign((state) => state.problems);
  const warnings = useDesign((state) => state.warnings);
  const find = useMemo(() => problemFinder(design, findAll(design, catalogue)), [design, catalogue]);
  const show = (problem: DefinitionProblem) => {
    const found = find(problem);
    onClose();
    if (!found) return;
    store.enter(found.steps, found.activity.id);
    focusCanvas(found.activity.id, true);
  };
  const list = (title: string, items: readonly DefinitionProblem[]) => (
    <ul className={css.problems} tabIndex={0} aria-label={title}>
      {items.map((problem, index) => {
        const { message, activityId } = problem;
        const found = find(problem);
        return (
          <li key={index}>
            {activityId !== undefined && (
              <button type="button" onClick={() => show(problem)}>
                {found ? nameOf(found.activity) : activityId}
              </button>
            )}
            <span>{message}</span>
          </li>
        );
      })}
    </ul>
  );
  return (
    <>
      {problems.length > 0 ? list(texts.title, problems) : <p className={css.none}>{texts.none}</p>}
      {warnings.length > 0 && (
        <>
          <p className={css.warnings}>{texts.warnings}</p>
          {list(texts.warnings, warnings)}
        </>
      )}
    </>
  );
}
