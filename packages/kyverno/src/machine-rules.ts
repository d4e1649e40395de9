import { computeRules } from './autogen/autogen.ts';
import { typedForm } from './autogen/typed-form.ts';
import type { ContextSources } from './context/sources.ts';
import type { SearchOptions } from './jmespath/expression.ts';
import { labelsOf } from './match/selector.ts';
import { metadataOf, objectKindOf, type User, unknownUser } from './match/subject.ts';
import { mutatePolicy, validatePolicy } from './policy/engine.ts';
import { compileException } from './policy/exceptions.ts';
import { listField, objectField, textField, textsField } from './policy/fields.ts';
import { compilePolicy, type Policy } from './policy/policy.ts';
import type { Request } from './policy/request.ts';
import type { RuleResult } from './policy/rule-result.ts';
import { compareText, sortedKeys } from './values/order.ts';
import { quoteGo } from './values/quote.ts';
import { deepEqual, isObject, type JsonObject, withDoubles } from './values/value.ts';

/** A case of `kubeadmit kyverno rules`: policies applied to one object. */
export interface RulesCase {
  readonly policies: readonly JsonObject[];
  readonly resource?: JsonObject | null;
  readonly oldResource?: JsonObject | null;
  readonly operation?: string;
  readonly subresource?: string;
  readonly userInfo?: JsonObject | null;
  readonly roles?: readonly string[] | null;
  readonly clusterRoles?: readonly string[] | null;
  readonly namespaceLabels?: JsonObject | null;
  readonly context?: { readonly configmaps?: readonly JsonObject[]; readonly values?: JsonObject };
  readonly exceptions?: readonly JsonObject[];
  readonly cluster?: boolean;
}

/** The results of all rules in the order of evaluation, and the object if mutation changed it. */
export interface RulesAnswer {
  readonly results: readonly (RuleResult & { readonly policy: string })[];
  readonly patched?: JsonObject;
  readonly error?: string;
}

/** Applies every policy with mutate rules in order, then every policy with validate rules to the result. */
export function answerRules(given: RulesCase, options?: SearchOptions): RulesAnswer {
  return prepareRules(given, options)();
}

/** Reads the policies of a case once, to be applied many times. */
export function prepareRules(given: RulesCase, options?: SearchOptions): () => RulesAnswer {
  const { resource } = given;
  if (!isObject(resource)) return () => ({ results: [], error: 'no resource' });
  const policies: Policy[] = [];
  for (const source of given.policies ?? []) {
    const kind = isObject(source) ? textField(source, 'kind') : '';
    if (kind !== 'ClusterPolicy' && kind !== 'Policy') {
      const error = `kind ${quoteGo(kind)} is neither ClusterPolicy nor Policy`;
      return () => ({ results: [], error });
    }
    policies.push(compilePolicy(source));
  }
  return () => applyPolicies(policies, given, resource, options);
}

function applyPolicies(
  policies: readonly Policy[],
  given: RulesCase,
  resource: JsonObject,
  options: SearchOptions | undefined,
): RulesAnswer {
  const shared = sharedFacts(given, options);
  const results: (RuleResult & { policy: string })[] = [];
  const add = (policy: Policy, made: readonly RuleResult[]): void => {
    for (const result of made) results.push({ policy: policy.key, ...result });
  };
  let object: JsonObject | undefined = resource;
  for (const policy of policies) {
    if (!policy.hasMutate) continue;
    const mutation = mutatePolicy(policy, requestFor(given, object, shared));
    add(policy, mutation.results);
    if (given.operation !== 'DELETE') object = mutation.object;
  }
  for (const policy of policies) {
    if (!policy.hasValidate) continue;
    const evaluation = validatePolicy(policy, requestFor(given, object, shared));
    add(policy, evaluation.results);
    if (given.operation !== 'DELETE') object = evaluation.object;
  }
  if (object === undefined) return { results };
  const patched = withDoubles(object);
  return isObject(patched) && !deepEqual(withDoubles(resource), patched)
    ? { results, patched }
    : { results };
}

type Shared = Omit<Request, 'object' | 'oldObject'>;

function requestFor(given: RulesCase, object: JsonObject | undefined, others: Shared): Request {
  const old = given.oldResource ?? object;
  const subject = others.operation === 'DELETE' ? old : object;
  const shared = {
    ...others,
    facts: { ...others.facts, ...(subject && { kind: objectKindOf(subject) }) },
  };
  switch (shared.operation) {
    case 'DELETE':
      return { ...shared, ...(old && { oldObject: old }) };
    case 'UPDATE':
      return { ...shared, ...(object && { object }), ...(old && { oldObject: old }) };
    default:
      return { ...shared, ...(object && { object }) };
  }
}

function sharedFacts(given: RulesCase, options: SearchOptions | undefined): Shared {
  const operation = given.operation || 'CREATE';
  const hasUser = Boolean(given.userInfo || given.roles || given.clusterRoles);
  const user = hasUser ? userOf(given) : unknownUser;
  return {
    operation,
    facts: {
      operation,
      subresource: given.subresource ?? '',
      namespaceLabels: labelsOf(given.namespaceLabels),
      user,
    },
    ...(hasUser && { userVariables: userVariablesOf(given) }),
    sources: sourcesOf(given),
    exceptions: (given.exceptions ?? []).map(compileException),
    isCluster: given.cluster === true,
    now: options?.now,
  };
}

function userOf(given: RulesCase): User {
  const info = given.userInfo ?? {};
  const user = {
    username: textField(info, 'username'),
    groups: textsField(info, 'groups'),
    roles: given.roles ?? [],
    clusterRoles: given.clusterRoles ?? [],
  };
  const isUnknown = !given.roles && !given.clusterRoles && Object.keys(info).length === 0;
  return { ...user, isUnknown };
}

function userVariablesOf({ userInfo, roles, clusterRoles }: RulesCase): JsonObject {
  return {
    ...(roles && roles.length > 0 && { roles }),
    ...(clusterRoles && clusterRoles.length > 0 && { clusterRoles }),
    userInfo: userInfo ?? {},
  };
}

function sourcesOf({ context }: RulesCase): ContextSources {
  const values = context?.values ?? {};
  const names = sortedKeys(values).sort(compareText);
  const configMaps = context?.configmaps;
  return {
    values: new Map(names.map((name) => [name, values[name]])),
    ...(configMaps && {
      configMap: (namespace, name) =>
        configMaps.find((configMap) => {
          const metadata = metadataOf(configMap);
          return (
            textField(metadata, 'namespace') === namespace && textField(metadata, 'name') === name
          );
        }),
    }),
  };
}

/** A case of `kubeadmit kyverno autogen`: a policy, and the kind to generate rules for. */
export interface AutogenCase {
  readonly policy: JsonObject;
  readonly kind?: string;
}

/** The rules that are evaluated. */
export interface AutogenAnswer {
  readonly rules: readonly JsonObject[];
  readonly error?: string;
}

/** The rules of a policy with the generated ones, in the shape of the machine interface. */
export function answerAutogen({ policy, kind }: AutogenCase): AutogenAnswer {
  const policyKind = isObject(policy) ? textField(policy, 'kind') : '';
  if (policyKind !== 'ClusterPolicy' && policyKind !== 'Policy') {
    return { rules: [], error: `kind ${quoteGo(policyKind)} is neither ClusterPolicy nor Policy` };
  }
  return {
    rules: computeRules(policy, kind ?? '').map((rule) => withoutEmptyParts(typedForm(rule))),
  };
}

/** A rule with its name and match, and without `resources` that say nothing. */
function withoutEmptyParts(rule: JsonObject): JsonObject {
  const cleaned: JsonObject = { ...rule, match: cleanFilters(objectField(rule, 'match') ?? {}) };
  const exclude = objectField(rule, 'exclude');
  return exclude === undefined ? cleaned : { ...cleaned, exclude: cleanFilters(exclude) };
}

function cleanFilters(block: JsonObject): JsonObject {
  const cleaned = cleanFilter(block);
  for (const list of ['any', 'all']) {
    const filters = listField(block, list).filter(isObject);
    if (filters.length > 0) cleaned[list] = filters.map(cleanFilter);
    else delete cleaned[list];
  }
  return cleaned;
}

function cleanFilter({ resources, ...rest }: JsonObject): JsonObject {
  const isEmpty = !isObject(resources) || Object.keys(resources).length === 0;
  return isEmpty ? rest : { ...rest, resources };
}
