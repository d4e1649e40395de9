import { type JsonObject, objectOf } from '@kubeadmit/apimachinery';

/** Returns the failure policy from the policy's webhook configuration or from its own field. */
export function failurePolicyOf({ spec: source }: JsonObject): 'Fail' | 'Ignore' {
  const spec = objectOf(source);
  const configured = objectOf(spec['webhookConfiguration'])['failurePolicy'];
  return (configured ?? spec['failurePolicy']) === 'Ignore' ? 'Ignore' : 'Fail';
}
