import { isObject, type JsonObject, metadataString, objectOf } from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/base';
import type { Differences } from '@kubeadmit/difference';
import type { Conversion, RuleConversion } from './conversion.ts';
import { compareSides, type ProofOptions, proveRule, requireProofOptions } from './prove-rule.ts';
import { differenceOutcome } from './proven-outcome.ts';

/** A converted rule with the differences that a search found. */
export interface ProvenRule extends RuleConversion {
  /** Absent where there was nothing to compare. */
  readonly proof?: Differences;
}

/**
 * Compares the rules of a policy with their results by search: each rule alone, and all rules together where there are
 * several, since rules build on each other. A rule with a difference is partly converted; its reason names the smallest
 * request that shows the difference.
 *
 * @throws TypeError for arguments of other types.
 */
export async function proveConversion(
  policy: JsonObject,
  conversion: Conversion,
  options: ProofOptions,
): Promise<readonly ProvenRule[]> {
  requireArgument('proveConversion', policy, { what: 'a policy' });
  requireArgument('proveConversion', conversion, {
    what: 'the result of convertPolicy',
    has: 'rules',
  });
  requireProofOptions('proveConversion', options);
  const { objects, rules } = conversion;
  const proven: ProvenRule[] = [];
  for (const rule of rules) {
    const proof = await proveRule(policy, rule, objects, options);
    proven.push(proof === undefined ? rule : { ...rule, ...differenceOutcome(rule, proof), proof });
  }
  // A difference of one rule shows in the whole policy, too.
  const isEqual = proven.every(({ proof }) => (proof?.differences ?? []).length === 0);
  const converted = rules.filter(({ results }) => results.length > 0);
  if (converted.length < 2 || !isEqual) return proven;
  const sides = {
    old: [withRules(policy, converted)],
    noted: converted.flatMap(({ differences = [] }) => differences),
  };
  const orders = mayDependOnOrder(objects) ? [objects, inReverse(objects)] : [objects];
  for (const [at, ordered] of orders.entries()) {
    const together = await compareSides({ ...sides, new: ordered }, options);
    if (together.differences.length === 0) continue;
    const subject = at === 0 ? 'together' : 'ordered';
    return proven.map((rule) =>
      rule.results.length === 0 ? rule : { ...rule, ...differenceOutcome(rule, together, subject) },
    );
  }
  return proven;
}

/** Whether several policies change objects: a server runs them in any order. */
function mayDependOnOrder(objects: readonly JsonObject[]): boolean {
  return objects.filter(({ kind }) => kind === 'MutatingAdmissionPolicy').length > 1;
}

// The search runs policies in the order of their names.
function inReverse(objects: readonly JsonObject[]): readonly JsonObject[] {
  const names = objects
    .filter(({ kind }) => String(kind).endsWith('Policy'))
    .map((object) => String(metadataString(object, 'name')));
  const renamed = new Map(
    names.map((name, at) => [name, `${String(names.length - at).padStart(4, '0')}-${name}`]),
  );
  return objects.map((object) => {
    const spec = objectOf(object['spec']);
    const own = String(metadataString(object, 'name'));
    const named = String(spec['policyName'] ?? own);
    const name = renamed.get(own) ?? own;
    return {
      ...object,
      metadata: { ...objectOf(object['metadata']), name },
      spec:
        spec['policyName'] === undefined
          ? spec
          : { ...spec, policyName: renamed.get(named) ?? named },
    };
  });
}

// Rules without a result act only in Kyverno; their report already says so.
function withRules(policy: JsonObject, converted: readonly RuleConversion[]): JsonObject {
  const spec = objectOf(policy['spec']);
  const names = new Set(converted.map(({ rule }) => rule));
  const rules = Array.isArray(spec['rules']) ? spec['rules'].filter(isObject) : [];
  return {
    ...policy,
    spec: { ...spec, rules: rules.filter(({ name }) => names.has(String(name ?? ''))) },
  };
}
