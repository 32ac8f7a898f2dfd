import { Button, Popover } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { designerTexts } from '../../texts/designer.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { findAll } from '../model/find.js';
import { nameOf } from '../canvas/names.js';
import css from './header.module.css';

const texts = designerTexts.problems;

/** What keeps the workflow from being published, in the words of the server, each with the way to it. */
export function ProblemsButton() {
  const { store, catalogue, focusCanvas } = useDesigner();
  const problems = useDesign((state) => state.problems);
  const [isOpen, setOpen] = useState(false);
  const show = (id: string) => {
    const found = findAll(store.design, catalogue).find(({ activity }) => activity.id === id);
    setOpen(false);
    if (!found) return;
    store.enter(found.steps, id);
    focusCanvas(id);
  };
  const nameFor = (id: string) => {
    const found = findAll(store.design, catalogue).find(({ activity }) => activity.id === id);
    return found ? nameOf(found.activity) : id;
  };
  const hasProblems = problems.length > 0;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={380} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={
            hasProblems ? (
              <CircleAlert size={15} className={css.bad} aria-hidden />
            ) : (
              <CircleCheck size={15} className={css.good} aria-hidden />
            )
          }
          onClick={() => setOpen(!isOpen)}
        >
          {hasProblems ? texts.count(problems.length) : texts.title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title}>
        {hasProblems ? (
          <ul className={css.problems} tabIndex={0} aria-label={texts.title}>
            {problems.map(({ message, activityId }, index) => (
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
        ) : (
          <p className={css.none}>{texts.none}</p>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
