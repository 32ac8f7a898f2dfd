import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import type { WorkflowListSearch } from './workflow-search.js';

const route = getRouteApi('/workflows');

/** The dialog that the address names. It is an entry of the history: Back closes it, and the list below stays as it was. */
export function useDialogAddress() {
  const { history } = useRouter();
  const { dialog: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const isOpenedHere = useRef(false);
  const openDialog = (dialog: WorkflowListSearch['dialog']) => {
    if (shown === undefined) isOpenedHere.current = true;
    void navigate({ search: (old) => ({ ...old, dialog }), replace: shown !== undefined });
  };
  const closeDialog = () => {
    // One that a link led to has no list before it.
    if (!isOpenedHere.current)
      return void navigate({ search: (old) => ({ ...old, dialog: undefined }), replace: true });
    isOpenedHere.current = false;
    history.back();
  };
  return { openDialog, closeDialog };
}
