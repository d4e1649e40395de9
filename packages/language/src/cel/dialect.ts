import type { Library, StructProvider, Type } from '@kubeadmit/cel';
import { standardLibrary } from '@kubeadmit/cel/declarations';
import { structType } from '@kubeadmit/cel/types';
import type { ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { baseEnvironment, compatibilityMinor } from '@kubeadmit/engine';
import {
  jsonPatchLibrary,
  namespaceType,
  patchTypes,
  requestStructs,
  requestType,
  versionedLibraries,
} from '@kubeadmit/engine/environment';
import { asInCode } from '@kubeadmit/engine/unstable-internal';
import type { CostTexts } from './costs.ts';

/** Texts about functions: their purpose, by name, and the costs of calls. */
export interface FunctionTexts extends CostTexts {
  readonly functionWords: Readonly<Record<string, string>>;
}

/** The name of the type of `variables`. */
export const variablesTypeName = 'kubernetes.variables';

/** The functions and names of some expressions, whatever the kind of their objects. */
export interface Dialect {
  readonly base: ValueEnvironment;
  /** Every library, that of the language itself included. */
  readonly libraries: readonly Library[];
  /** The types of the names that do not depend on the kind. */
  readonly variables: Readonly<Record<string, Type>>;
  readonly structs: readonly StructProvider[];
  /** The purpose of functions, by name or with the receiver, `resource.get`, and the costs of calls. */
  readonly words: FunctionTexts;
  /** Whether calls are charged for. */
  readonly hasCosts: boolean;
}

/** The expressions of policies on a server of a version. */
export function policyDialect(
  serverMinor: number,
  words: FunctionTexts,
  isMutating: boolean,
): Dialect {
  const own = isMutating ? [jsonPatchLibrary] : [];
  return {
    base: baseEnvironment(compatibilityMinor(serverMinor), serverMinor).extend({ libraries: own }),
    libraries: [...librariesOf(compatibilityMinor(serverMinor), serverMinor), ...own],
    variables: {
      namespaceObject: namespaceType,
      request: requestType,
      authorizer: structType('kubernetes.authorization.Authorizer'),
      'authorizer.requestResource': structType('kubernetes.authorization.ResourceCheck'),
      variables: structType(variablesTypeName),
    },
    structs: [requestStructs, ...(isMutating ? [patchTypes] : [])],
    words,
    hasCosts: true,
  };
}

/** The rules of definitions on a server of a version. */
export function ruleDialect(serverMinor: number, words: FunctionTexts): Dialect {
  return {
    base: baseEnvironment(compatibilityMinor(serverMinor), serverMinor),
    libraries: librariesOf(compatibilityMinor(serverMinor), serverMinor),
    variables: {},
    structs: [],
    words,
    hasCosts: true,
  };
}

/**
 * The libraries of expressions, that of the language itself included.
 *
 * @param minor the version whose libraries expressions may use
 * @param code the version of the server's own code
 */
export function librariesOf(minor: number, code: number): readonly Library[] {
  return [
    standardLibrary,
    ...versionedLibraries
      .filter(({ from }) => from <= minor)
      .map(({ library }) => asInCode(library, code)),
  ];
}
