import { isObject } from '@kubeadmit/apimachinery';

/** Why Kyverno refuses a policy for its list of rules; undefined if it does not. */
export function refusedRules(rules: readonly unknown[]): string | undefined {
  const names = new Set<string>();
  for (const [at, rule] of rules.entries()) {
    const place = `spec.rules[${at}]`;
    if (!isObject(rule)) return `Kyverno refuses the policy: \`${place}\` is not a map`;
    const { name } = rule;
    if (typeof name !== 'string' || name === '') {
      return `Kyverno refuses the policy: \`${place}\` has no name; instead: name the rule`;
    }
    if (names.has(name)) {
      return `Kyverno refuses the policy: two rules have the name \`${name}\`; instead: rename one of them`;
    }
    names.add(name);
  }
  return undefined;
}
