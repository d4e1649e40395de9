import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { type OptionKind, requireArgument, requireOptions } from '@kubeadmit/base';
import { isConstraint } from '@kubeadmit/gatekeeper';
import { unservedVersion } from '@kubeadmit/kyverno/validation';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import {
  type Conversion,
  type ConvertOptions,
  nothingOf,
  type RuleConversion,
  reasonOf,
  reportOf,
  statusOf,
} from './conversion.ts';
import { convertCleanupPolicy } from './convert-acting.ts';
import { convertRule } from './convert-rule.ts';
import { convertWhole } from './convert-whole.ts';
import { isCelKind, isCleanup, isConvertible } from './convertible.ts';
import { kindsNamed } from './match/filter.ts';
import { boundedName, namesOf, titleOf } from './policy/names.ts';
import { refusedRules } from './policy/refused-rules.ts';

const convertOptions: Readonly<Record<keyof ConvertOptions, OptionKind>> = {
  schemas: 'any',
  target: ['admission', 'kyverno'],
  isIdiomatic: 'boolean',
  related: 'list',
};

/**
 * Converts a policy into ValidatingAdmissionPolicies and MutatingAdmissionPolicies with their bindings.
 *
 * With the target `kyverno`, the results are Kyverno policies written in CEL. ClusterPolicies and Policies are
 * converted rule by rule; CEL-based Kyverno policies and Gatekeeper constraints are converted as one unit.
 *
 * Never throws because of the contents of a rule: parts without an equivalent are omitted and reported in the
 * result.
 *
 * @throws TypeError if the policy is not convertible ({@link isConvertible}) or an option is unknown
 */
export function convertPolicy(policy: JsonObject, options: ConvertOptions): Conversion {
  requireOptions('convertPolicy', options, convertOptions);
  requireSchemas('convertPolicy', options.schemas);
  requireArgument('convertPolicy', policy, { what: 'a policy of Kyverno or a constraint' });
  if (!isConvertible(policy)) {
    const { apiVersion, kind } = policy;
    throw new TypeError(
      `convertPolicy: expected a policy of Kyverno or a constraint, got ${String(apiVersion)} ${String(kind)}`,
    );
  }
  const unserved = unservedReason(policy);
  if (unserved !== undefined) return nothingOf(namesOf(policy).title, unserved);
  if (isCleanup(policy)) return convertCleanupPolicy(policy, options);
  if (isCelKind(policy) || isConstraint(policy)) return convertWhole(policy, options);
  const spec = objectOf(policy['spec']);
  const given = listOf(spec['rules']);
  const rules = given.filter(isObject);
  const objects: JsonObject[] = [];
  const told: RuleConversion[] = [];
  const names = namesOf(policy);
  const refused = refusedRules(given);
  if (refused !== undefined) return nothingOf(names.title, refused);
  if (rules.length === 0) return nothingOf(names.title, 'the policy has no rule (`spec.rules`)');
  for (const rule of rules) {
    const about = { policy: names.title, rule: String(rule['name'] ?? '') };
    const name = rules.length === 1 ? names.name : boundedName(`${names.name}-${about.rule}`);
    try {
      const made = convertRule(rule, policy, name, options);
      objects.push(...made.objects);
      const notes = [...made.lost, ...(made.notes ?? [])];
      told.push({
        ...about,
        status: statusOf(made, notes),
        results: made.objects.map(titleOf),
        ...reportOf(notes),
        ...(made.weaker ? { weaker: true } : {}),
        ...(made.stricter ? { stricter: true } : {}),
      });
    } catch (problem) {
      told.push({ ...about, status: 'none', results: [], reason: reasonOf(problem) });
    }
  }
  const isOne = spec['applyRules'] === 'One';
  const meetsEarlier = (at: number): boolean =>
    rules.slice(0, at).some((earlier) => mayMeet(earlier, rules[at] ?? {}));
  return {
    objects,
    rules: told.map((rule, at) => (isOne && meetsEarlier(at) ? withOneRuleNote(rule) : rule)),
  };
}

// Kyverno applies rules that change objects and rules that validate them one after the other. Rules about different kinds
// never meet.
function mayMeet(earlier: JsonObject, rule: JsonObject): boolean {
  if (isObject(earlier['mutate']) !== isObject(rule['mutate'])) return false;
  const kinds = new Set(kindsNamed(earlier['match']));
  const others = kindsNamed(rule['match']);
  return kinds.has('*') || others.includes('*') || others.some((kind) => kinds.has(kind));
}

function withOneRuleNote(rule: RuleConversion): RuleConversion {
  if (rule.results.length === 0) return rule;
  const note =
    '`applyRules: One` stops after the first rule that applies, while all admission policies are evaluated; instead: exclude from each rule what an earlier one matches';
  const reason = rule.reason === undefined ? note : `${rule.reason}; ${note}`;
  return { ...rule, status: 'partial', reason };
}

// A policy of a version that Kyverno does not serve acts nowhere.
function unservedReason(policy: JsonObject): string | undefined {
  const problem = unservedVersion(policy);
  return problem && `${problem.message}: Kyverno serves ${problem.choices.join(', ')}`;
}
