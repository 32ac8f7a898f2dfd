import { Button, Popover } from '@mantine/core';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { designerTexts } from '../../texts/designer.js';
import type { DefinitionProblem } from '../../api/designs.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { findAll } from '../model/find.js';
import { nameOf } from '../canvas/names.js';
import css from './header.module.css';

const texts = designerTexts.problems;

/** What keeps the workflow from being published, and what goes wrong when it runs: in the words of the server, each with the way to it. */
export function ProblemsButton() {
  const { store, catalogue, focusCanvas } = useDesigner();
  const problems = useDesign((state) => state.problems);
  const warnings = useDesign((state) => state.warnings);
  const [isOpen, setOpen] = useState(false);
  const show = (id: string) => {
    const found = findAll(store.design, catalogue).find(({ activity }) => activity.id === id);
    setOpen(false);
    if (!found) return;
    store.enter(found.steps, id);
    focusCanvas(id, true);
  };
  const nameFor = (id: string) => {
    const found = findAll(store.design, catalogue).find(({ activity }) => activity.id === id);
    return found ? nameOf(found.activity) : id;
  };
  const hasProblems = problems.length > 0;
  const hasWarnings = warnings.length > 0;
  const list = (title: string, items: readonly DefinitionProblem[]) => (
    <ul className={css.problems} tabIndex={0} aria-label={title}>
      {items.map(({ message, activityId }, index) => (
        <li key={index}>
          {activityId !== undefined && (
            <button type="button" onClick={() => show(activityId)}>
              {nameFor(activityId)}
            </button>
          )}
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
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
      <Popover.Dropdown aria-label={texts.title}>
        {hasProblems ? list(texts.title, problems) : <p className={css.none}>{texts.none}</p>}
        {hasWarnings && (
          <>
            <p className={css.warnings}>{texts.warnings}</p>
            {list(texts.warnings, warnings)}
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
