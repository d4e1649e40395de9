import { getOrMake, lazily } from '@kubeadmit/base';
import type { Library, StructProvider, Type, Value } from '@kubeadmit/cel';
import { bindingsLibrary } from '@kubeadmit/cel/libraries/bindings';
import { encodersLibrary } from '@kubeadmit/cel/libraries/encoders';
import { mathLibrary } from '@kubeadmit/cel/libraries/math';
import { dynType, listOf, mapOf, stringType, structType } from '@kubeadmit/cel/types';
import type { ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { baseEnvironment } from '@kubeadmit/engine';
import {
  joinStructs,
  jsonPatchLibrary,
  namespaceType,
  patchTypes,
  requestStructs,
  requestType,
} from '@kubeadmit/engine/environment';
import { kubernetesMinor } from '../cel/kubernetes-minor.ts';
import { orValueLibrary } from '../cel/or-value.ts';
import type { RuleType } from '../trace/rule-result.ts';
import { certificateLibrary, gzipLibrary } from './libraries/binary.ts';
import { type ContextName, ContextValue, contextTypes } from './libraries/context-value.ts';
import { generatorLibrary, generatorType } from './libraries/generator.ts';
import { imageLibrary } from './libraries/image.ts';
import { imageVerifyLibrary } from './libraries/image-verify.ts';
import { globalContextLibrary, httpLibrary, imageDataLibrary } from './libraries/outside-data.ts';
import { regexLibrary } from './libraries/regex.ts';
import { resourceLibrary } from './libraries/resource.ts';
import type { CelSources } from './libraries/sources.ts';
import {
  hashLibrary,
  jsonLibrary,
  randomLibrary,
  roundLibrary,
  serviceAccountType,
  transformLibrary,
  userLibrary,
  yamlLibrary,
} from './libraries/texts.ts';
import { type Clock, timeLibrary } from './libraries/time.ts';
import { variablesType } from './variables.ts';

const exceptionType = structType('libs.Exception');

const structs: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  [serviceAccountType.name]: { Name: stringType, Namespace: stringType },
  [exceptionType.name]: { allowedImages: listOf(stringType), allowedValues: listOf(stringType) },
};

const kyvernoStructs: StructProvider = {
  has: (name) => Object.hasOwn(structs, name),
  fieldType: (name, field) => {
    const fields = Object.hasOwn(structs, name) ? structs[name] : undefined;
    return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  },
};

const requestObjects: ReadonlySet<string> = new Set(['object', 'oldObject']);

/** The types of requests: Kyverno's have `request.object` and `request.oldObject` (`BuildRequestType`). */
const requestsWithObjects: StructProvider = {
  has: (name) => requestStructs.has(name),
  fieldType: (name, field) =>
    name === requestType.name && requestObjects.has(field)
      ? dynType
      : requestStructs.fieldType(name, field),
};

/** The types of variables that a policy has declared, by name. */
export type VariableTypes = ReadonlyMap<string, Type>;

// By the clock, the one thing that policies, which are compiled each on its own, have in common with those beside them:
// an environment takes longer to make than most policies to compile.
const shared = new WeakMap<Clock, Map<string, ValueEnvironment>>();

/**
 * The environment of the expressions of a policy of a type (Kyverno's `createBaseVpolEnv` and the like), for policies
 * of a namespace or, with an empty one, of the cluster.
 */
export function policyEnvironment(
  type: RuleType,
  namespace: string,
  clock: Clock,
  variables: VariableTypes,
): ValueEnvironment {
  const known = getOrMake(shared, clock, () => new Map<string, ValueEnvironment>());
  const base = getOrMake(known, `${languageOf(type)} ${namespace}`, () =>
    makeEnvironment(type, namespace, clock),
  );
  const variableStructs: StructProvider = {
    has: (name) => name === variablesType.name,
    fieldType: (_name, field) => variables.get(field),
  };
  return base.extend({
    structs: joinStructs(requestsWithObjects, kyvernoStructs, patchTypes, variableStructs),
  });
}

/**
 * The environment in which Kyverno's webhook compiles the match conditions of a PolicyException
 * (`CompilePolicyExceptionMatchConditions`): without Kyverno's own libraries.
 */
export const exceptionEnvironment: () => ValueEnvironment = lazily(() =>
  baseEnvironment(kubernetesMinor).extend({
    variables: admissionVariables,
    structs: requestsWithObjects,
  }),
);

/** The environment of `matchImageReferences`, whose variable `ref` is the name of an image. */
export const imageReferenceEnvironment: () => ValueEnvironment = lazily(() =>
  baseEnvironment(kubernetesMinor).extend({
    libraries: [bindingsLibrary, encodersLibrary, mathLibrary, regexLibrary, imageLibrary],
    variables: { ref: stringType },
  }),
);

/** The variables of a request, as all of Kyverno's expressions see them; of its objects nothing is known. */
const admissionVariables: Readonly<Record<string, Type>> = {
  object: dynType,
  oldObject: dynType,
  namespaceObject: namespaceType,
  request: requestType,
};

/** The variables of ImageValidatingPolicies: images by group, attestors and the names of attestations. */
const imageVariables: Readonly<Record<string, Type>> = {
  images: mapOf(stringType, listOf(stringType)),
  attestors: mapOf(stringType, dynType),
  attestations: mapOf(stringType, stringType),
};

/** Policies that validate and policies that mutate have the same language. */
function languageOf(type: RuleType): RuleType {
  return type === 'Mutation' ? 'Validation' : type;
}

function makeEnvironment(type: RuleType, namespace: string, clock: Clock): ValueEnvironment {
  const { libraries, variables } = policyLanguage(namespace, clock, type);
  const base = baseEnvironment(kubernetesMinor);
  // Literals of objects to be generated have members of several types.
  const own = type === 'Generation' ? base.withoutRules() : base;
  return own.extend({ libraries, variables });
}

/** The additions of Kyverno's policies to the expressions of Kubernetes. */
export interface PolicyLanguage {
  readonly libraries: readonly Library[];
  /** The types of the variables but those that the policy declares; of its objects nothing is known. */
  readonly variables: Readonly<Record<string, Type>>;
  /** The types of values that the libraries create. */
  readonly structs: StructProvider;
}

/** The libraries and variables of policies of a namespace or, with an empty one, of the cluster. */
export function policyLanguage(
  namespace: string,
  clock: Clock,
  type: RuleType = 'Validation',
): PolicyLanguage {
  const generates = type === 'Generation';
  const verifies = type === 'ImageVerify';
  return {
    libraries: [
      bindingsLibrary,
      encodersLibrary,
      mathLibrary,
      regexLibrary,
      ...(verifies ? [imageVerifyLibrary] : [orValueLibrary]),
      jsonPatchLibrary,
      resourceLibrary(namespace),
      httpLibrary(namespace),
      globalContextLibrary(namespace),
      imageLibrary,
      imageDataLibrary,
      ...(verifies || languageOf(type) === 'Validation' ? [userLibrary] : []),
      ...(generates ? [generatorLibrary(namespace)] : []),
      hashLibrary,
      gzipLibrary,
      ...(verifies ? [] : [certificateLibrary]),
      roundLibrary,
      jsonLibrary,
      yamlLibrary,
      randomLibrary,
      timeLibrary(clock),
      transformLibrary,
    ],
    variables: {
      ...contextTypes,
      ...admissionVariables,
      ...(generates ? { generator: generatorType } : {}),
      variables: variablesType,
      ...(verifies ? imageVariables : { exceptions: exceptionType }),
    },
    structs: joinStructs(requestsWithObjects, kyvernoStructs),
  };
}

/** The values of the variables whose functions ask for data. */
export function contextValues(sources: CelSources): Readonly<Record<string, Value>> {
  const names = Object.keys(contextTypes) as ContextName[];
  return Object.fromEntries(names.map((name) => [name, new ContextValue(name, sources)]));
}
