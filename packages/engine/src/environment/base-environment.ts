import {
  durationRule,
  Environment,
  homogeneousRule,
  type Library,
  listsLibrary,
  optionalLibrary,
  regexRule,
  setsLibrary,
  stringsLibrary,
  type TreeRule,
  timestampRule,
  twoVariableComprehensionsLibrary,
} from '@kubeadmit/cel';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { newestMinor } from './versions.ts';

interface Versioned {
  /** The minor version that brought it. */
  readonly from: number;
  /** The first minor version without it. */
  readonly until?: number;
  readonly library: Library;
}

const versioned: readonly Versioned[] = [
  { from: 28, library: optionalLibrary },
  { from: 29, library: stringsLibrary },
  { from: 29, library: setsLibrary },
  { from: 32, library: twoVariableComprehensionsLibrary },
  { from: 34, library: listsLibrary },
];

const environments = new Map<number | undefined, Environment>();

/**
 * The environment that every expression in Kubernetes has, without variables (apiserver
 * pkg/cel/environment/base.go).
 *
 * `minor` is the version whose libraries are there; without it all are, as for what is stored.
 */
export function baseEnvironment(minor?: number): Environment {
  let environment = environments.get(minor);
  if (environment === undefined) {
    environment = makeEnvironment(minor);
    environments.set(minor, environment);
  }
  return environment;
}

function makeEnvironment(minor: number | undefined): Environment {
  const version = minor ?? newestMinor;
  return new Environment({
    libraries: versioned
      .filter(({ from, until }) => from <= version && (until === undefined || version < until))
      .map(({ library }) => library),
    mixedComparisons: version >= 28,
    // Names in backticks came with the parser of 1.37 and not with a library.
    describeSyntaxErrors,

    rules: rulesOf(version),
  });
}

function rulesOf(version: number): readonly TreeRule[] {
  const mixed = homogeneousRule(['format']);
  return version >= 29 ? [durationRule, timestampRule, regexRule, mixed] : [mixed];
}
