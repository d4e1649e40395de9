import type { Status } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';

/**
 * Returns a denial as a webhook must send it.
 *
 * The prefix `RESOURCE "NAME" is forbidden: ` is removed, since kube-apiserver adds
 * `admission webhook "NAME" denied the request: `; the rest is unchanged.
 */
export function webhookDenial(status: Status): Status {
  const { message, details } = status;
  if (message === undefined || details?.kind === undefined) return status;
  const resource = details.group ? `${details.kind}.${details.group}` : details.kind;
  const prefix = `${resource} ${quote(details.name ?? '')} is forbidden: `;
  return message.startsWith(prefix) ? { ...status, message: message.slice(prefix.length) } : status;
}
