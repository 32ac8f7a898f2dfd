import { type ComponentType, useState } from 'react';
import { notifyError } from './toasts.js';
import { loadFile } from './load-file.js';

/** A dialog with a file of its own, which comes when it is wanted. When it does not come, a note says why, and the next click asks again. */
export function usePart<P>(importer: () => Promise<ComponentType<P>>) {
  const [part, setPart] = useState<ComponentType<P>>();
  const open = () => void loadFile(importer).then((loaded) => setPart(() => loaded), notifyError);
  return { Part: part, open, close: () => setPart(undefined) };
}
