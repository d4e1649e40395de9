import { readFileSync } from 'node:fs';
import { readErrorText } from '@kubeadmit/files';
import { readDocuments, Source } from '@kubeadmit/manifest';
import { UsageError } from './usage-error.ts';

/**
 * The options that a configuration file stands for: its keys are the names of options, lists are options that are
 * repeated, and `false` is an option with `no-` before it.
 *
 * @throws UsageError when the file cannot be read.
 */
export function configurationFileArguments(file: string): string[] {
  const { documents, problems } = readDocuments(new Source(file, readText(file)));
  const [problem] = problems;
  if (problem !== undefined) {
    const { line = 1 } = problem.place ?? {};
    throw new UsageError(`${file}:${line}: ${problem.message}`);
  }
  const value = documents[0]?.value ?? {};
  if (documents.length > 1 || typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError(`${file}: a configuration is one object`);
  }
  return Object.entries(value as object).flatMap(([name, given]) =>
    argumentsOf(file, name, given as unknown),
  );
}

function argumentsOf(file: string, name: string, value: unknown): string[] {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name) || name === 'config') {
    throw new UsageError(`${file}: \`${name}\` is no option`);
  }
  if (Array.isArray(value)) return value.flatMap((each) => argumentsOf(file, name, each));
  switch (typeof value) {
    case 'boolean':
      return booleanArguments(name, value);
    case 'string':
    case 'number':
      return [`--${name}`, String(value)];
    default:
      throw new UsageError(
        `${file}: \`${name}\` is neither a text, a number, a boolean nor a list`,
      );
  }
}

// Options that hold unless they are switched off have names that begin with `no-`.
const heldUnlessSwitchedOff: readonly string[] = [
  'kyverno-policies',
  'native-policies',
  'own-policies',
  'system-namespaces',
];

function booleanArguments(name: string, value: boolean): string[] {
  if (heldUnlessSwitchedOff.includes(name)) return value ? [] : [`--no-${name}`];
  return value ? [`--${name}`] : [];
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${readErrorText(error)}`);
  }
}
