import { readDocuments, Source } from '@kubeadmit/manifest';
import { configurationArguments, type DeclaredOption } from './configuration-arguments.ts';
import { readErrorText } from './read-error-text.ts';
import { readText } from './read-text.ts';

/** An error in a configuration file; the message starts with the file's name. */
export class ConfigurationFileError extends Error {
  override readonly name = 'ConfigurationFileError';
}

/**
 * Returns the command-line arguments for the content of a configuration file; see `configurationArguments`.
 *
 * @param options the options that the program declares
 * @throws ConfigurationFileError if the file cannot be read or contains an unknown option
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
    throw new ConfigurationFileError(`${file}: a configuration file must contain one object`);
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
