import type { Status } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go/internal';

/**
 * A denial as a webhook gives it: without `RESOURCE "NAME" is forbidden: `, where kube-apiserver puts
 * `admission webhook "NAME" denied the request: `; everything else passes through.
 */
export function webhookDenial(status: Status): Status {
  const { message, details } = status;
  if (message === undefined || details?.kind === undefined) return status;
  const resource = details.group ? `${details.kind}.${details.group}` : details.kind;
  const prefix = `${resource} ${quote(details.name ?? '')} is forbidden: `;
  return message.startsWith(prefix) ? { ...status, message: message.slice(prefix.length) } : status;
}
