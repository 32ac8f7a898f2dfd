import { ApiError } from '../api/api-error.js';
import { readError } from '../api/read-error.js';
import { shellTexts } from '../texts/shell.js';
import { config } from '../app/config.js';

/** The server has another version of Studio, which knows nothing of the files that this page asks for. */
export class StudioReplaced extends Error {
  override readonly name = 'StudioReplaced';

  constructor(cause: unknown) {
    super(shellTexts.newVersion, { cause });
  }
}

/** @throws ApiError when the server cannot give pages now: the browser would show an error of its own in their place */
export async function expectPages(): Promise<void> {
  const response = await fetch(`${config.base}/`, { cache: 'no-store' }).catch((cause: unknown) => {
    throw new ApiError({ status: 0, cause });
  });
  if (!response.ok) throw await readError(response);
}

/**
 * A file of Studio that was not loaded with the page, such as a room.
 * @throws StudioReplaced when it is gone; ApiError when the server cannot give it now
 */
export async function loadFile<T>(importer: () => Promise<T>): Promise<T> {
  try {
    return await importer();
  } catch (error) {
    await expectPages();
    throw new StudioReplaced(error);
  }
}

/** Whether {@link loadFile} threw it. */
export const isFileFailure = (error: unknown): boolean => error instanceof ApiError || error instanceof StudioReplaced;
