import { dynType, structType } from '@kubeadmit/cel/types';
import { baseEnvironment, newestMinor } from '@kubeadmit/engine';
import { patchTypes } from '@kubeadmit/engine/environment';
import {
  kubernetesMinor,
  orValueLibrary,
  policyLanguage,
} from '@kubeadmit/kyverno/unstable-internal';
import {
  type Dialect,
  type FunctionTexts,
  librariesOf,
  policyDialect,
  variablesTypeName,
} from './dialect.ts';

/**
 * Returns the dialect of Kyverno's CEL policies.
 *
 * The functions of a namespaced policy read only objects of its namespace. Image policies also have `images`,
 * `attestors` and `attestations`, whose types are unknown.
 */
export function kyvernoDialect(
  words: FunctionTexts,
  isNamespaced: boolean,
  isAboutImages: boolean,
): Dialect {
  const { libraries, variables, structs } = policyLanguage(isNamespaced ? 'default' : '', noClock);
  const images = { images: dynType, attestors: dynType, attestations: dynType };
  return {
    base: baseEnvironment(kubernetesMinor).extend({ libraries }),
    libraries: [...librariesOf(kubernetesMinor, newestMinor), ...libraries],
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

/** The expressions of `validate.cel` in rules of Kyverno. */
export function kyvernoRuleDialect(words: FunctionTexts): Dialect {
  return {
    ...policyDialect(kubernetesMinor, words, false),
    base: baseEnvironment(kubernetesMinor).extend({ libraries: [orValueLibrary] }),
    libraries: [...librariesOf(kubernetesMinor, newestMinor), orValueLibrary],
  };
}

/** Nothing is evaluated. */
function noClock(): never {
  throw new Error('an expression was evaluated while it was looked at');
}
