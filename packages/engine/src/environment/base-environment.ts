import { describeValue, getOrMake } from '@kubeadmit/base';
import {
  durationRule,
  homogeneousRule,
  regexRule,
  type TreeRule,
  timestampRule,
} from '@kubeadmit/cel/declarations';
import { ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { kubernetesCallCost } from '../libraries/costs.ts';
import { versionedLibraries } from '../libraries/versioned.ts';
import { asInCode, describeInCode } from './code-changes.ts';
import { newestMinor } from './versions.ts';

const environments = new Map<string, ValueEnvironment>();

/**
 * Returns the environment of every expression in Kubernetes, without variables (apiserver
 * pkg/cel/environment/base.go).
 *
 * @param minor the version whose libraries are available; by default all are, as for stored expressions.
 * @param code the version of the server's own code, which decides about its cel-go (default: the newest).
 * @throws TypeError for a version that is not a number, such as `'1.37'`: see `parseVersion`
 */
export function baseEnvironment(minor?: number, code: number = newestMinor): ValueEnvironment {
  return getOrMake(environments, `${minor} ${code}`, () => {
    requireMinor(minor);
    requireMinor(code);
    return makeEnvironment(minor ?? code, code);
  });
}

function requireMinor(minor: number | undefined): void {
  if (minor === undefined || Number.isInteger(minor)) return;
  const found = describeValue(minor);
  throw new TypeError(
    `baseEnvironment: expected a minor version such as 37, got ${found} (\`parseVersion\` reads strings)`,
  );
}

function makeEnvironment(version: number, code: number): ValueEnvironment {
  return new ValueEnvironment({
    libraries: versionedLibraries
      .filter(({ from }) => from <= version)
      .map(({ library }) => asInCode(library, code)),
    describeSyntaxErrors: describeInCode(code),
    callCost: kubernetesCallCost,
    mixedComparisons: version >= 28,
    // Names in backticks came with the parser of 1.37 and not with a library.
    escapedIdentifiers: code >= 37,
    rules: rulesOf(version),
  });
}

function rulesOf(version: number): readonly TreeRule[] {
  const mixed = homogeneousRule(['format']);
  return version >= 29 ? [mixed, durationRule, timestampRule, regexRule] : [mixed];
}
