import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Pause, Play, Zap } from 'lucide-react';
import type { Schedule } from '../api/schedules.js';
import type { Column } from '../parts/data-table.js';
import { Time } from '../parts/time.js';
import { duration } from '../parts/times.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import { Failure, Jitter, NextTimes, Overlap, StateBadge, When } from './schedule-cells.js';
import type { ScheduleTask } from './schedule-dialog.js';
import css from './schedules.module.css';

/** @param onAct none: the user may look only */
export function columnsOf(
  names: ReadonlyMap<string, string>,
  onAct: ((task: ScheduleTask) => void) | undefined,
): readonly Column<Schedule>[] {
  const nameOf = ({ id, definitionId }: Schedule): string =>
    definitionId === undefined ? id : (names.get(definitionId) ?? definitionId);
  return [
    {
      id: 'workflow',
      title: texts.columns.workflow,
      cell: (schedule) => (
        <div className={css.what}>
          {schedule.definitionId !== undefined && (
            <Link to="/workflows/$definitionId" params={{ definitionId: schedule.definitionId }}>
              {nameOf(schedule)}
            </Link>
          )}
          <span className={css.detail}>{schedule.activityId ?? schedule.id}</span>
        </div>
      ),
    },
    { id: 'kind', title: texts.columns.kind, isNarrow: true, isMinor: true, cell: ({ kind }) => texts.kinds[kind] },
    { id: 'when', title: texts.columns.expression, isMinor: true, cell: (schedule) => <When schedule={schedule} /> },
    {
      id: 'overlap',
      title: texts.columns.overlap,
      isNarrow: true,
      isMinor: true,
      cell: (schedule) => <Overlap schedule={schedule} />,
    },
    {
      id: 'jitter',
      title: texts.columns.jitter,
      isNarrow: true,
      isMinor: true,
      cell: (schedule) => <Jitter schedule={schedule} />,
    },
    {
      id: 'next',
      title: texts.columns.next,
      cell: (schedule) => <NextTimes schedule={schedule} label={texts.furtherTimes(nameOf(schedule))} />,
    },
    {
      id: 'last',
      title: texts.columns.last,
      isMinor: true,
      cell: ({ lastFiring }) =>
        lastFiring && (
          <div className={css.what}>
            <Time value={lastFiring.firedAt} />
            <span className={css.detail}>
              {[texts.lateBy(duration(lastFiring.latenessMs)), texts.results[lastFiring.result]]
                .filter(Boolean)
                .join(', ')}
            </span>
          </div>
        ),
    },
    {
      id: 'failures',
      title: texts.columns.failures,
      isMinor: true,
      cell: ({ failure }) => <Failure failure={failure} />,
    },
    { id: 'state', title: texts.columns.state, isNarrow: true, cell: (schedule) => <StateBadge schedule={schedule} /> },
    ...(onAct
      ? [
          {
            id: 'actions',
            title: texts.columns.actions,
            isTitleHidden: true,
            isNarrow: true,
            cell: (schedule: Schedule) => <RowMenu schedule={schedule} workflow={nameOf(schedule)} onAct={onAct} />,
          },
        ]
      : []),
  ];
}

interface RowMenuProps {
  readonly schedule: Schedule;
  readonly workflow: string;
  readonly onAct: (task: ScheduleTask) => void;
}

function RowMenu({ schedule, workflow, onAct }: RowMenuProps) {
  const { id, activityId, isPaused, nextTimes } = schedule;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.actionsOf(workflow, activityId ?? id)}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Zap size={14} />} onClick={() => onAct({ action: 'fire', id, workflow })}>
          {texts.actions.fire}
        </Menu.Item>
        {isPaused ? (
          <Menu.Item leftSection={<Play size={14} />} onClick={() => onAct({ action: 'resume', id, workflow })}>
            {texts.actions.resume}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<Pause size={14} />}
            disabled={nextTimes.length === 0}
            onClick={() => onAct({ action: 'pause', id, workflow })}
          >
            {texts.actions.pause}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
