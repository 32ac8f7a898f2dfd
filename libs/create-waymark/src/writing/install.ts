import { spawn } from 'node:child_process';
import type { PackageManager } from '../settings/settings.js';

/** Runs the installation in a folder, with its output to the user's terminal; false when it failed. */
export function install(folder: string, packageManager: PackageManager): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(packageManager, ['install'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}
