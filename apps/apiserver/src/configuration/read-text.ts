import { readErrorText, readText as readLimited } from '@kubeadmit/files';
import { UsageError } from './usage-error.ts';

/** The text of a file that an option names. Rejects with a {@link UsageError}. */
export async function readText(file: string): Promise<string> {
  try {
    return readLimited(file);
  } catch (error) {
    throw new UsageError(`${file}: ${readErrorText(error)}`);
  }
}
