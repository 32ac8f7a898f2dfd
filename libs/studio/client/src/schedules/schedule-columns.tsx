import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Pause, Play, Zap } from 'lucide-react';
import type { Schedule } from '../api/schedules.js';
import type { Column } from '../parts/data-table.js';
import { Time } from '../parts/time.js';
import { duration } from '../parts/times.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import { Unreadable } from '../parts/unreadable.js';
import { Failure, Jitter, NextTimes, Overlap, StateBadge, When } from './schedule-cells.js';
import type { ScheduleTask } from './schedule-dialog.js';
import css from './schedules.module.css';

/**
 * Those that say something about these rows: few schedules have a policy, a jitter or a failure.
 * @param onAct none: the user may look only
 */
export function columnsOf(
  rows: readonly Schedule[],
  names: ReadonlyMap<string, string>,
  onAct: ((task: ScheduleTask) => void) | undefined,
): readonly Column<Schedule>[] {
  const nameOf = ({ id, definitionId }: Schedule): string =>
    definitionId === undefined ? id : (names.get(definitionId) ?? definitionId);
  const when = (isSaid: (schedule: Schedule) => boolean, column: Column<Schedule>) =>
    rows.some(isSaid) ? [column] : [];
  return [
    {
      id: 'workflow',
      title: texts.columns.workflow,
      cell: (schedule) => (
        <div className={css.what}>
          <Target schedule={schedule} name={nameOf(schedule)} />
          <span className={css.detail}>{schedule.activityId ?? schedule.id}</span>
          <Unreadable row={schedule.unreadable} />
        </div>
      ),
    },
    {
      id: 'origin',
      title: texts.columns.origin,
      isNarrow: true,
      isMinor: true,
      cell: ({ origin }) => <span title={texts.originHints[origin]}>{texts.origins[origin]}</span>,
    },
    { id: 'when', title: texts.columns.expression, isMinor: true, cell: (schedule) => <When schedule={schedule} /> },
    ...when(({ overlap = 'allow', jitter }) => overlap !== 'allow' || jitter !== undefined, {
      id: 'overlap',
      title: texts.columns.overlap,
      isNarrow: true,
      isMinor: 'soon',
      cell: (schedule) => (
        <>
          <Overlap schedule={schedule} />
          <Jitter schedule={schedule} />
        </>
      ),
    }),
    {
      id: 'next',
      title: texts.columns.next,
      cell: (schedule) => <NextTimes schedule={schedule} label={texts.furtherTimes(nameOf(schedule))} />,
    },
    {
      id: 'last',
      title: texts.columns.last,
      isMinor: 'soon',
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
    ...when(({ failure }) => failure !== undefined, {
      id: 'failures',
      title: texts.columns.failures,
      isMinor: true,
      cell: ({ failure }) => <Failure failure={failure} />,
    }),
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

/** The workflow that it starts, or what it resumes. */
function Target({ schedule, name }: { readonly schedule: Schedule; readonly name: string }) {
  const { definitionId, workflowInstanceId } = schedule;
  if (definitionId !== undefined)
    return (
      <Link to="/workflows/$definitionId" params={{ definitionId }}>
        {name}
      </Link>
    );
  if (workflowInstanceId === undefined) return texts.resumes;
  return (
    <Link to="/instances/$instanceId" params={{ instanceId: workflowInstanceId }}>
      {texts.resumesInstance}
    </Link>
  );
}

interface RowMenuProps {
  readonly schedule: Schedule;
  readonly workflow: string;
  readonly onAct: (task: ScheduleTask) => void;
}

function RowMenu({ schedule, workflow, onAct }: RowMenuProps) {
  const { id, activityId, isPaused, nextTimes } = schedule;
  const act = (action: ScheduleTask['action']) => onAct({ action, schedule, workflow });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.actionsOf(workflow, activityId ?? id)}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Zap size={14} />}
          disabled={schedule.unreadable !== undefined}
          onClick={() => act('fire')}
        >
          {texts.actions.fire}
        </Menu.Item>
        {isPaused ? (
          <Menu.Item
            leftSection={<Play size={14} />}
            disabled={schedule.unreadable !== undefined}
            onClick={() => act('resume')}
          >
            {texts.actions.resume}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Pause size={14} />} disabled={nextTimes.length === 0} onClick={() => act('pause')}>
            {texts.actions.pause}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
