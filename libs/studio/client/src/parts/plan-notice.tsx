import { Button } from '@mantine/core';
import { planTexts as texts } from '../texts/plans.js';
import { May } from './may.js';
import css from './toasts.module.css';

interface PlanNoticeProps {
  readonly title: string;
  readonly failed: number;
  /** Why the first one failed. */
  readonly reason: string | undefined;
  readonly hasEnded: boolean;
  readonly visited: number;
  readonly selected: number;
  /** What people need to stop it. */
  readonly permission: string;
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

/** Work on many, how far it is, and the way to stop it. */
export const PlanNotice = (props: PlanNoticeProps) => (
  <>
    <strong>{props.title}</strong>
    {props.failed > 0 && <div>{texts.failed(props.failed, props.reason)}</div>}
    {!props.hasEnded && (
      <div className={css.plan}>
        <progress aria-label={texts.progress} max={Math.max(1, props.selected)} value={props.visited} />
        <May permission={props.permission}>
          <Button size="compact-xs" variant="default" loading={props.isStopping} onClick={props.onStop}>
            {texts.stop}
          </Button>
        </May>
      </div>
    )}
  </>
);
