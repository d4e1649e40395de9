import { dynType, standardLibrary, structType } from '@kubeadmit/cel/internal';
import { baseEnvironment } from '@kubeadmit/engine';
import { newestMinor, patchTypes, versionedLibraries } from '@kubeadmit/engine/internal';
import { orValueLibrary, policyLanguage } from '@kubeadmit/kyverno/internal';
import { type Dialect, type FunctionTexts, policyDialect, variablesTypeName } from './dialect.ts';

const allLibraries = [standardLibrary, ...versionedLibraries.map(({ library }) => library)];

/**
 * The expressions of Kyverno's own policies: of a namespace, whose functions ask for objects of it alone, or of the
 * cluster. Policies about images name `images` and who attests them, of which no types are known.
 */
export function kyvernoDialect(
  words: FunctionTexts,
  isNamespaced: boolean,
  isAboutImages: boolean,
): Dialect {
  const { libraries, variables, structs } = policyLanguage(isNamespaced ? 'default' : '', noClock);
  const images = { images: dynType, attestors: dynType, attestations: dynType };
  return {
    base: baseEnvironment().extend({ libraries }),
    libraries: [...allLibraries, ...libraries],
    variables: {
      ...variables,
      variables: structType(variablesTypeName),
      ...(isAboutImages ? images : {}),
    },
    structs: [structs, patchTypes],
    words,
    hasCosts: false,
  };
}

/** The expressions of `validate.cel` in rules of Kyverno, which has all libraries of its own version of Kubernetes. */
export function kyvernoRuleDialect(words: FunctionTexts): Dialect {
  return {
    ...policyDialect(newestMinor, words, false),
    base: baseEnvironment().extend({ libraries: [orValueLibrary] }),
    libraries: [...allLibraries, orValueLibrary],
    words,
  };
}

/** Nothing is evaluated. */
function noClock(): never {
  throw new Error('an expression was evaluated while it was looked at');
}
