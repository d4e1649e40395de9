import { readFile } from 'node:fs/promises';
import { readErrorText } from '@kubeadmit/files';
import { UsageError } from './usage-error.ts';

/** The text of a file that an option names. Rejects with a {@link UsageError}. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${readErrorText(error)}`);
  }
}
