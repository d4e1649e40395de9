import {
  durationRule,
  Environment,
  homogeneousRule,
  regexRule,
  type TreeRule,
  timestampRule,
} from '@kubeadmit/cel';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { kubernetesCallCost } from '../libraries/costs.ts';
import { versionedLibraries } from '../libraries/versioned.ts';
import { newestMinor } from './versions.ts';

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
    libraries: versionedLibraries
      .filter(({ from }) => from <= version)
      .map(({ library }) => library),
    callCost: kubernetesCallCost,
    mixedComparisons: version >= 28,
    // Names in backticks came with the parser of 1.37 and not with a library.
    describeSyntaxErrors,
    rules: rulesOf(version),
  });
}

function rulesOf(version: number): readonly TreeRule[] {
  const mixed = homogeneousRule(['format']);
  return version >= 29 ? [mixed, durationRule, timestampRule, regexRule] : [mixed];
}
