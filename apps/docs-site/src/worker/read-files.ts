import type { GivenManifest } from '@kubeadmit/lint';
import { type InputProblem, type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { suiteFileName } from '@kubeadmit/testing';
import type { Problem } from './judgement.ts';

/** The files of the playground by their purpose. */
export interface ReadFiles {
  readonly given: readonly GivenManifest[];
  readonly problems: readonly InputProblem[];
  /** Files with one expression each, by name. */
  readonly expressions: ReadonlyMap<string, string>;
  /** The text with the variables of expressions. */
  readonly variables: Source | undefined;
}

interface ReadFile {
  readonly text: string;
  readonly manifests: readonly Manifest[];
  readonly problems: readonly InputProblem[];
}

const variablesName = /^variables\.(?:ya?ml|json)$/;
const known = new Map<string, ReadFile>();

/** Reads the files but for tests of the program; those that did not change since the last time are not read again. */
export function readFiles(files: Readonly<Record<string, string>>): ReadFiles {
  const names = Object.keys(files);
  const expressions = new Map(
    names.filter((name) => name.endsWith('.cel')).map((name) => [name, files[name] ?? '']),
  );
  const variables =
    expressions.size > 0 ? names.find((name) => variablesName.test(name)) : undefined;
  const read = names
    .filter((name) => !expressions.has(name) && name !== variables && !suiteFileName.test(name))
    .map((name) => readFile(name, files[name] ?? ''));
  for (const name of known.keys()) if (!Object.hasOwn(files, name)) known.delete(name);
  return {
    given: read.flatMap(({ manifests }) =>
      manifests.map((manifest) => ({ manifest, role: 'any' as const })),
    ),
    problems: read.flatMap(({ problems }) => problems),
    expressions,
    variables: variables === undefined ? undefined : new Source(variables, files[variables] ?? ''),
  };
}

function readFile(name: string, text: string): ReadFile {
  const before = known.get(name);
  if (before?.text === text) return before;
  const read = { text, ...readManifests(new Source(name, text)) };
  known.set(name, read);
  return read;
}

/** A problem as the page shows it. */
export function shownProblem(
  { file, message, place }: InputProblem,
  severity: Problem['severity'],
): Problem {
  const { line, column } = place ?? {};
  return {
    file,
    severity,
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
