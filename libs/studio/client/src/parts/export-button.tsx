import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';

interface ExportButtonProps {
  /** The download that a click begins. */
  readonly save: { readonly isPending: boolean; readonly mutate: () => void };
  readonly children: ReactNode;
}

/** Exports what is selected in a list. */
export function ExportButton({ save, children }: ExportButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Download size={14} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {children}
    </Button>
  );
}
