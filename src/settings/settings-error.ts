import { withoutCredentials } from '@waymark/core/adapter';

/** A setting that cannot be used; the host prints the sentence and ends. */
export class SettingsError extends Error {
  readonly code = 'WM9001';
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** A value as errors show it. */
export const shown = (text: string): string => `"${withoutCredentials(text)}"`;
