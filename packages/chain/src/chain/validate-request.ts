import { plainJson, validateRequest as validateNatively } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { requireRead } from './arguments.ts';
import { type ChainRequest, withServedOld } from './request.ts';
import { type StepAnswer, stepAnswer, withPolicies } from './step.ts';

/**
 * Evaluates the validating policies of a chain for a request: kube-apiserver's own, then Kyverno's webhook, even if
 * a native policy denies, so that everything is reported at once.
 *
 * @throws TypeError if the argument was not created by `readRequest`.
 */
export function validateRequest(given: ChainRequest): StepAnswer {
  requireRead('validateRequest', given);
  const { chain, request, prepared } = given;
  const { object } = prepared.attributes;
  const validated = validateNatively(prepared, object);
  const native = withPolicies(validated, prepared, (given) => validateNatively(given, object));
  const { kyverno } = chain;
  if (kyverno === undefined) return stepAnswer(given, native, undefined);
  const plain = plainJson(object) as KubernetesObject | null;
  return stepAnswer(given, native, kyverno.validate(withServedOld(request, prepared), plain));
}
