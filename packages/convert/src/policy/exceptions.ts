import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { matchesWildcard } from '@kubeadmit/kyverno/patterns';
import { Unsupported } from '../notes/unsupported.ts';
import { namesOf } from './names.ts';

/**
 * The `match` blocks of the PolicyExceptions that name a rule of a policy, or a rule generated from it.
 *
 * @throws Unsupported for an exception with conditions, or of single controls of the Pod Security Standards.
 */
export function exceptionsOf(
  { name }: JsonObject,
  policy: JsonObject,
  related: readonly JsonObject[],
): readonly unknown[] {
  const { title } = namesOf(policy);
  return related.flatMap(({ apiVersion, kind, spec }) => {
    const isException = kind === 'PolicyException' && String(apiVersion).startsWith('kyverno.io/');
    if (!isException || !isObject(spec) || !Array.isArray(spec['exceptions'])) return [];
    const concerns = spec['exceptions'].filter(isObject).some(({ policyName, ruleNames }) => {
      const names = Array.isArray(ruleNames) ? ruleNames.map(String) : [];
      // Rules generated for controllers have prefixed names; the kinds of the exception distinguish them.
      const own = ['', 'autogen-', 'autogen-cronjob-'].map((prefix) => `${prefix}${String(name)}`);
      const fits = names.some((each) => own.some((one) => matchesWildcard(each, one)));
      return policyName === title && fits;
    });
    if (!concerns) return [];
    if (spec['conditions'] !== undefined || spec['podSecurity'] !== undefined) {
      throw new Unsupported('a PolicyException with conditions or controls of pods');
    }
    return [spec['match']];
  });
}
