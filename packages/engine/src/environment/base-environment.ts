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
import { asInCode } from './code-changes.ts';
import { newestMinor } from './versions.ts';

const environments = new Map<string, Environment>();

/**
 * The environment that every expression in Kubernetes has, without variables (apiserver
 * pkg/cel/environment/base.go).
 *
 * @param minor the version whose libraries are there; without it all are, as for what is stored.
 * @param code the version of the server's own code, whose cel-go it is; default the newest.
 */
export function baseEnvironment(minor?: number, code: number = newestMinor): Environment {
  const key = `${minor} ${code}`;
  let environment = environments.get(key);
  if (environment === undefined) {
    environment = makeEnvironment(minor ?? code, code);
    environments.set(key, environment);
  }
  return environment;
}

function makeEnvironment(version: number, code: number): Environment {
  return new Environment({
    libraries: versionedLibraries
      .filter(({ from }) => from <= version)
      .map(({ library }) => asInCode(library, code)),
    callCost: kubernetesCallCost,
    mixedComparisons: version >= 28,
    // Names in backticks came with the parser of 1.37 and not with a library.
    escapedIdentifiers: code >= 37,
    describeSyntaxErrors:
      code >= 33
        ? describeSyntaxErrors
        : (text, syntax) =>
            describeSyntaxErrors(text, { ...syntax, escapedIdentifierTokens: false }),
    rules: rulesOf(version),
    // Objects are as `JSON.parse` made them.
    bindingsAreValues: true,
  });
}

function rulesOf(version: number): readonly TreeRule[] {
  const mixed = homogeneousRule(['format']);
  return version >= 29 ? [mixed, durationRule, timestampRule, regexRule] : [mixed];
}
