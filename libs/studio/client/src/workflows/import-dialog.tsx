import { ActionIcon, FileButton, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileJson, Upload, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { definitionsKey, importDefinitions } from '../api/definitions.js';
import { Dialog } from '../parts/dialog.js';
import { ErrorPanel } from '../parts/states.js';
import { notify, notifyError } from '../parts/toasts.js';
import { useShown } from '../parts/use-shown.js';
import { shellTexts } from '../texts/shell.js';
import { workflowTexts } from '../texts/workflows.js';
import { FailedImports } from './failed-imports.js';
import { KeptDrafts } from './kept-drafts.js';
import { useFileDrop } from './use-file-drop.js';
import css from './import-dialog.module.css';
import form from '../parts/confirm.module.css';

const texts = workflowTexts.import;

interface ImportDialogProps {
  /** Those that were dropped already. */
  readonly files: readonly File[];
  readonly onClose: () => void;
}

export function ImportDialog({ files: given, onClose }: ImportDialogProps) {
  const client = useQueryClient();
  const isShown = useShown();
  const resetInput = useRef<() => void>(null);
  const [chosen, setChosen] = useState<readonly File[]>([]);
  const [left, setLeft] = useState<ReadonlySet<File>>(new Set());
  const files = [...given, ...chosen].filter((file) => !left.has(file));
  const work = useMutation({
    mutationFn: (replaced?: readonly string[]) => importDefinitions(files, replaced),
    onSuccess: async ({ count, failures = [], keptDrafts = [] }) => {
      await client.invalidateQueries({ queryKey: definitionsKey });
      // The dialog stays, and says which.
      if (failures.length + keptDrafts.length > 0 && isShown()) return;
      const others = [
        failures.length > 0 ? texts.failed(failures.length) : '',
        keptDrafts.length > 0 ? texts.kept(keptDrafts.length) : '',
      ];
      const isEmpty = count + keptDrafts.length === 0;
      notify(isEmpty ? texts.nothing : texts.done(count), others.filter(Boolean).join(' '));
      if (isShown()) onClose();
    },
    onError: (error) => isShown() || notifyError(error),
  });
  const choose = (more: readonly File[]) => {
    // The same file, mended meanwhile: the one from before cannot be read any more, and the browser would not tell of it twice.
    const isAgain = ({ name }: File) => !work.isIdle && more.some((file) => file.name === name);
    setLeft(new Set([...left, ...files.filter(isAgain)]));
    setChosen([...chosen, ...more]);
    resetInput.current?.();
  };
  const drop = useFileDrop(choose);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          work.mutate(undefined);
        }}
      >
        <div className={css.zone} data-over={drop.isOver || undefined} {...drop.handlers}>
          <Upload size={22} aria-hidden />
          <p>{texts.lead}</p>
          <FileButton
            multiple
            accept=".json,.zip,application/json,application/zip"
            resetRef={resetInput}
            onChange={choose}
          >
            {(props) => (
              <Button {...props} variant="default" data-autofocus>
                {texts.choose}
              </Button>
            )}
          </FileButton>
        </div>
        {files.length > 0 && (
          <ul className={css.files}>
            {files.map((file, index) => (
              <li key={`${index}-${file.name}`}>
                <FileJson size={15} aria-hidden />
                <span>{file.name}</span>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={texts.remove(file.name)}
                  onClick={() => setLeft(new Set([...left, file]))}
                >
                  <X size={14} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        {work.data?.failures && <FailedImports {...work.data} />}
        {work.data?.keptDrafts && (
          <KeptDrafts
            {...work.data}
            drafts={work.data.keptDrafts}
            onReplace={() => work.mutate(work.data.keptDrafts!.map(({ definitionId }) => definitionId))}
          />
        )}
        {work.isError && <ErrorPanel error={work.error} />}
        <div className={form.actions}>
          <Button variant="default" onClick={onClose}>
            {work.data ? texts.close : shellTexts.cancel}
          </Button>
          <Button type="submit" disabled={files.length === 0} loading={work.isPending}>
            {texts.submit(files.length)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
