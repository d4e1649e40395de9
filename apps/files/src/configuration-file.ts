import { readDocuments, Source } from '@kubeadmit/manifest';
import { configurationArguments, type DeclaredOption } from './configuration-arguments.ts';
import { readErrorText } from './read-error-text.ts';
import { readText } from './read-text.ts';

/** What is wrong with a configuration file, with its name. */
export class ConfigurationFileError extends Error {
  override readonly name = 'ConfigurationFileError';
}

/**
 * The arguments that a configuration file stands for; see `configurationArguments`.
 *
 * @param options what the program declares
 * @throws ConfigurationFileError when the file cannot be read, or says what is no option.
 */
export function configurationFileArguments(
  file: string,
  options: readonly DeclaredOption[],
): readonly string[] {
  const { documents, problems } = readDocuments(new Source(file, configurationText(file)));
  const [problem] = problems;
  if (problem !== undefined) {
    throw new ConfigurationFileError(`${file}:${problem.place?.line ?? 1}: ${problem.message}`);
  }
  const value = (documents[0]?.value ?? {}) as unknown;
  if (documents.length > 1 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigurationFileError(`${file}: a configuration is one object`);
  }
  try {
    return configurationArguments(value, options);
  } catch (error) {
    throw new ConfigurationFileError(`${file}: ${(error as Error).message}`);
  }
}

function configurationText(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new ConfigurationFileError(`${file}: ${readErrorText(error)}`);
  }
}
