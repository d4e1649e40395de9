import { readFileSync } from 'node:fs';
import { configurationArguments, type DeclaredOption, readErrorText } from '@kubeadmit/files';
import { closest } from '@kubeadmit/go/internal';
import { readDocuments, Source } from '@kubeadmit/manifest';
import { UsageError } from './usage-error.ts';

/**
 * The arguments that a configuration file stands for; see `configurationArguments`.
 *
 * @param options what the program declares
 * @throws UsageError when the file cannot be read, or says what is no option.
 */
export function configurationFileArguments(
  file: string,
  options: readonly DeclaredOption[],
): readonly string[] {
  const { documents, problems } = readDocuments(new Source(file, readText(file)));
  const [problem] = problems;
  if (problem !== undefined) {
    throw new UsageError(`${file}:${problem.place?.line ?? 1}: ${problem.message}`);
  }
  const value = (documents[0]?.value ?? {}) as unknown;
  if (documents.length > 1 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file}: a configuration is one object`);
  }
  try {
    return configurationArguments(value, { options, closest });
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${readErrorText(error)}`);
  }
}
