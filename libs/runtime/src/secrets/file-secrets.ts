import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type SecretProvider, SecretProviderError } from './secret-provider.js';

/** A secret is a key or a password; a larger file was put there by mistake. */
const MAX_BYTES = 65_536;

/**
 * Reads secrets from the files of a directory, each named like its secret, as container platforms mount them.
 * @example
 * WorkflowModule.forRoot({ secrets: [new FileSecrets('/run/secrets')] })
 */
export class FileSecrets implements SecretProvider {
  constructor(private readonly directory: string) {}

  /**
   * Returns the text of the file without trailing line breaks.
   * @throws SecretProviderError (`WM6080`) for a file beyond 64 kB · Error of the file system, but not when there is no such file
   */
  async find(name: string): Promise<string | undefined> {
    const file = path.join(this.directory, name);
    try {
      const { size } = await stat(file);
      if (size > MAX_BYTES)
        throw new SecretProviderError(name, `its file has ${size} bytes; ${MAX_BYTES} is the limit`);
      return (await readFile(file, 'utf8')).replace(/[\r\n]+$/, '') || undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
