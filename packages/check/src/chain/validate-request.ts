import { plainJson, validateRequest as validateNatively } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type ChainRequest, withServedOld } from './request.ts';
import { type StepAnswer, stepAnswer } from './step.ts';

/**
 * Asks the validating policies of a chain about a request: kube-apiserver's own, then Kyverno's webhook, which is
 * asked though a native policy denies, so that all is told at once.
 */
export function validateRequest({ chain, request, prepared }: ChainRequest): StepAnswer {
  const { object } = prepared.attributes;
  const native = validateNatively(prepared, object);
  const { kyverno } = chain;
  if (kyverno === undefined) return stepAnswer(chain, native, undefined);
  const plain = plainJson(object) as KubernetesObject | null;
  return stepAnswer(chain, native, kyverno.validate(withServedOld(request, prepared), plain));
}
