import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.js';
import { Dialog } from './dialog.js';
import { ErrorPanel } from './states.js';
import { notifyError } from './toasts.js';
import { useShown } from './use-shown.js';
import css from './confirm.module.css';

interface ConfirmProps {
  readonly title: string;
  /** What it will do, said before. */
  readonly children: ReactNode;
  readonly action: string;
  /** The way out. @default 'Cancel' */
  readonly back?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** Shown in the place of a failure. */
  readonly notice?: (error: unknown) => ReactNode;
  /** Runs while the dialog shows that it works; what it throws is shown in the dialog. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** A question before something that changes things: it names what will happen, and stays when that fails. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, back, isDangerous, isDisabled, notice, onConfirm, onClose } = props;
  const isShown = useShown();
  const work = useMutation({
    mutationFn: onConfirm,
    // Closed before the answer: by then another dialog may be open, and what failed would be seen nowhere.
    onSuccess: () => isShown() && onClose(),
    onError: (error) => isShown() || notifyError(error),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          work.mutate();
        }}
      >
        <div className={css.body}>{children}</div>
        {work.isError && (notice?.(work.error) || <ErrorPanel error={work.error} />)}
        <div className={css.actions}>
          <Button variant="default" onClick={onClose}>
            {back ?? shellTexts.cancel}
          </Button>
          <Button
            type="submit"
            color={isDangerous ? 'red.8' : undefined}
            loading={work.isPending}
            disabled={isDisabled ?? false}
            data-autofocus={!isDangerous || undefined}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
