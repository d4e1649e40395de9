import { readFileSync } from 'node:fs';
import { readDocuments, Source } from '@kubeadmit/manifest';
import { UsageError } from './usage-error.ts';

/**
 * The arguments that a configuration file stands for: its keys are the names of options, lists are options that are
 * repeated, and `false` is an option with `no-` before it, or none.
 *
 * @param known the options that there are, such as `--data` and `--no-controllers`
 * @throws UsageError when the file cannot be read, or says what is no option.
 */
export function configurationFileArguments(
  file: string,
  known: ReadonlySet<string>,
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
  return Object.entries(value).flatMap(([name, given]) => {
    const isKnown = known.has(`--${name}`) || known.has(`--no-${name}`);
    if (!isKnown || name === 'config' || name.startsWith('no-')) {
      throw new UsageError(`${file}: \`${name}\` is no option`);
    }
    return argumentsOf(file, { name, isHeld: known.has(`--no-${name}`) }, given);
  });
}

interface NamedOption {
  readonly name: string;
  /** It holds unless it is switched off. */
  readonly isHeld: boolean;
}

function argumentsOf(file: string, option: NamedOption, value: unknown): readonly string[] {
  const { name, isHeld } = option;
  if (Array.isArray(value)) return value.flatMap((each) => argumentsOf(file, option, each));
  if (typeof value === 'boolean') {
    if (isHeld) return value ? [] : [`--no-${name}`];
    return value ? [`--${name}`] : [];
  }
  if (isHeld || (typeof value !== 'string' && typeof value !== 'number')) {
    const wanted = isHeld ? 'true or false' : 'a text, a number, a boolean or a list';
    throw new UsageError(`${file}: \`${name}\` is not ${wanted}`);
  }
  return [`--${name}`, String(value)];
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file}: ${code === 'ENOENT' ? 'no such file' : (code ?? 'unreadable')}`);
  }
}
