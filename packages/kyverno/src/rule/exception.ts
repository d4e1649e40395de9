import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/unstable-internal';
import { requireArgument } from '@kubeadmit/base';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { field, objectField, objectsField, stringField, textsField } from '../fields/fields.ts';
import type { Failure } from '../jmespath/steps/failure.ts';
import { compileFilters, type Filters } from '../match/match.ts';

/** A compiled PolicyException. */
export interface Exception {
  /** `NAMESPACE/NAME`. */
  readonly key: string;
  /** Policies and the rules of them that it excepts from, with wildcards. */
  readonly rules: readonly { readonly policy: string; readonly rules: readonly string[] }[];
  /** The objects that are excepted. */
  readonly match: Filters;
  /** Additional conditions; `undefined` if there are none. */
  readonly conditions: Conditions | Failure | undefined;
  /** The controls of the Pod Security Standards that are exempt; if there are none, the complete rule is exempt. */
  readonly podSecurity: readonly Exclusion[];
}

/** A control of the Pod Security Standards that a rule or an exception does not ask for, wholly or in part. */
export interface Exclusion {
  readonly controlName: string;
  /** Images of the containers concerned, with wildcards; the pod's own fields are concerned where there are none. */
  readonly images: readonly string[];
  /** The one field concerned; every field of the control when empty. */
  readonly restrictedField: string;
  /** The values that are allowed in the field, with wildcards; all when empty. */
  readonly values: readonly string[];
}

/** Reads an item of `podSecurity.exclude`, or of an exception's `podSecurity`. */
export function readExclusion(source: JsonObject): Exclusion {
  return {
    controlName: stringField(source, 'controlName'),
    images: textsField(source, 'images'),
    restrictedField: stringField(source, 'restrictedField'),
    values: textsField(source, 'values'),
  };
}

/**
 * Compiles a PolicyException.
 *
 * @throws TypeError if the object is not a PolicyException
 */
export function compileException(source: JsonObject): Exception {
  requireArgument('compileException', source, { what: 'a PolicyException' });
  if (source['kind'] !== undefined) requireKind('compileException', source, ['PolicyException']);
  const metadata = memberObject(source, 'metadata');
  const spec = objectField(source, 'spec') ?? {};
  const namespace = stringField(metadata, 'namespace');
  const name = stringField(metadata, 'name');
  const conditions = field(spec, 'conditions');
  return {
    key: namespace === '' ? name : `${namespace}/${name}`,
    rules: objectsField(spec, 'exceptions').map((exception) => ({
      policy: stringField(exception, 'policyName'),
      rules: textsField(exception, 'ruleNames'),
    })),
    match: compileFilters(objectField(spec, 'match') ?? {}),
    conditions: conditions === undefined ? undefined : compileConditions(conditions),
    podSecurity: objectsField(spec, 'podSecurity').map(readExclusion),
  };
}
