import { isObject, type JsonObject, objectOf, stringMapOf } from '@kubeadmit/apimachinery';
import { compareText, deepEqual, sortedKeys } from '@kubeadmit/go';
import { computeRules } from './autogen/autogen.ts';
import { withDoubles } from './context/numbers.ts';
import type { ContextSources } from './context/sources.ts';
import { metadataText } from './fields/fields.ts';
import type { SearchOptions } from './jmespath/expression.ts';
import { applyPolicies, type RequestSetting } from './policy/apply-policies.ts';
import { compileRulesOf, type Policy } from './policy/policy.ts';
import { DecodeError, readPolicy, readRule, writeRule } from './policy-validation/read-policy.ts';
import { compileException } from './rule/exception.ts';
import { type GivenUser, readUser } from './rule/user.ts';
import type { RuleResult } from './trace/rule-result.ts';
import type { RuleTracer } from './trace/rule-trace.ts';

/** A case of `kubeadmit kyverno rules`: policies applied to one object. */
export interface RulesCase extends GivenUser {
  readonly policies: readonly JsonObject[];
  readonly resource?: JsonObject | null;
  readonly oldResource?: JsonObject | null;
  readonly operation?: string;
  readonly subresource?: string;
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
export function prepareRules(
  given: RulesCase,
  options?: SearchOptions & { readonly trace?: RuleTracer },
): () => RulesAnswer {
  const { resource } = given;
  if (!isObject(resource)) return () => ({ results: [], error: 'no resource' });
  const policies = readPolicies(given);
  if (policies instanceof DecodeError) return () => ({ results: [], error: policies.message });
  const setting = { ...settingOf(given, options), trace: options?.trace };
  return () => evaluate(policies, given, resource, setting);
}

function readPolicies({ policies }: RulesCase): readonly Policy[] | DecodeError {
  const compiled: Policy[] = [];
  for (const source of policies ?? []) {
    const read = readPolicy(source);
    if (read instanceof DecodeError) return read;
    compiled.push(compileRulesOf(source));
  }
  return compiled;
}

function evaluate(
  policies: readonly Policy[],
  given: RulesCase,
  resource: JsonObject,
  setting: RequestSetting,
): RulesAnswer {
  const responses = applyPolicies(policies, resource, () => setting, {
    oldObject: given.oldResource ?? undefined,
  });
  const results = responses.flatMap(({ policy, results: made }) =>
    made.map(({ rule, type, status, message, action, target }) => ({
      policy: policy.key,
      rule,
      type,
      status,
      message,
      ...(action && { action }),
      ...(target && { target }),
    })),
  );
  const last = responses.at(-1);
  if (last?.object === undefined || last.object === resource) return { results };
  const patched = withDoubles(last.object);
  return isObject(patched) && !deepEqual(withDoubles(resource), patched)
    ? { results, patched }
    : { results };
}

function settingOf(given: RulesCase, options: SearchOptions | undefined): RequestSetting {
  const operation = given.operation || 'CREATE';
  const { user, ...shown } = readUser(given);
  return {
    operation,
    facts: {
      operation,
      subresource: given.subresource ?? '',
      namespaceLabels: stringMapOf(given.namespaceLabels),
      user,
    },
    ...shown,
    sources: sourcesOf(given),
    exceptions: (given.exceptions ?? []).map(compileException),
    isCluster: given.cluster === true,
    now: options?.now,
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
        configMaps.find(
          (configMap) =>
            metadataText(configMap, 'namespace') === namespace &&
            metadataText(configMap, 'name') === name,
        ),
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
  const read = readPolicy(policy);
  if (read instanceof DecodeError) return { rules: [], error: read.message };
  return { rules: computeRules(policy, kind ?? '').map(shownRule) };
}

/** A rule as Kyverno writes it, without `resources` of filters that say nothing. */
function shownRule(rule: JsonObject): JsonObject {
  const { match, exclude, ...rest } = writeRule(readRule(rule));
  return {
    ...rest,
    match: shownFilter(match),
    ...(exclude ? { exclude: shownFilter(exclude) } : {}),
  };
}

function shownFilter(filter: unknown): JsonObject {
  const { resources, any, all, ...rest } = objectOf(filter);
  return {
    ...rest,
    ...(deepEqual(resources, {}) ? {} : { resources }),
    ...(Array.isArray(any) ? { any: any.map(shownFilter) } : {}),
    ...(Array.isArray(all) ? { all: all.map(shownFilter) } : {}),
  };
}

/** A case of generate rules: policies applied to one object, and the objects that clones find, by rule. */
export interface GenerateCase extends RulesCase {
  readonly sources?: Readonly<Record<string, readonly JsonObject[]>>;
}

/** The results of all generate rules, and the errors of policies that could not generate. */
export interface GenerateAnswer {
  readonly results: readonly (RuleResult & { readonly policy: string })[];
  readonly problems?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Applies the generate rules of every policy to an object as the Kyverno CLI does. */
export function answerGenerate(given: GenerateCase, options?: SearchOptions): GenerateAnswer {
  const { resource, sources = {} } = given;
  if (!isObject(resource)) return { results: [], error: 'no resource' };
  const policies = readPolicies(given);
  if (policies instanceof DecodeError) return { results: [], error: policies.message };
  const setting = settingOf(given, options);
  const responses = applyPolicies(
    policies,
    resource,
    () => ({ ...setting, sources: { ...setting.sources, clones: (rule) => sources[rule] ?? [] } }),
    { oldObject: given.oldResource ?? undefined, only: 'generate' },
  );
  const problems: Record<string, string> = {};
  const results = responses.flatMap(({ policy, results: made }) =>
    made.map(({ problem, generated, ...result }) => {
      if (problem !== undefined) problems[policy.key] = problem;
      const objects = generated?.map((object) => withDoubles(object) as JsonObject) ?? [];
      return {
        policy: policy.key,
        ...result,
        ...(objects.length > 0 && { generated: objects }),
      };
    }),
  );
  return Object.keys(problems).length === 0 ? { results } : { results, problems };
}
