import {
  durationRule,
  homogeneousRule,
  regexRule,
  type TreeRule,
  timestampRule,
  ValueEnvironment,
} from '@kubeadmit/cel/internal';
import { getOrMake } from '@kubeadmit/go/internal';
import { kubernetesCallCost } from '../libraries/costs.ts';
import { versionedLibraries } from '../libraries/versioned.ts';
import { asInCode } from './code-changes.ts';
import { newestMinor } from './versions.ts';

const environments = new Map<string, ValueEnvironment>();

/**
 * Like `baseEnvironment`, but syntax errors have the parser's own messages. Callers add cel-go's, which are large
 * and needed only for invalid expressions.
 */
export function environmentWithoutSyntaxErrors(
  minor?: number,
  code: number = newestMinor,
): ValueEnvironment {
  return getOrMake(environments, `${minor} ${code}`, () => makeEnvironment(minor ?? code, code));
}

function makeEnvironment(version: number, code: number): ValueEnvironment {
  return new ValueEnvironment({
    libraries: versionedLibraries
      .filter(({ from }) => from <= version)
      .map(({ library }) => asInCode(library, code)),
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
