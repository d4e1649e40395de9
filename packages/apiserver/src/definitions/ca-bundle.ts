import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';

const certificate = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/**
 * Whether the CA bundle of a definition's conversion webhook is missing or looks like certificates in PEM
 * (webhook.ValidateCABundle). The contents of the certificates are not checked.
 */
export function hasUsableCaBundle(definition: KubernetesObject): boolean {
  const webhook = member(member(member(definition, 'spec'), 'conversion'), 'webhook');
  const bundle = memberText(member(webhook, 'clientConfig'), 'caBundle');
  if (bundle === '') return true;
  const blocks = [...(decodeBase64(bundle) ?? '').matchAll(certificate)];
  return blocks.length > 0 && blocks.every(([, text = '']) => isSequence(decodeBase64(text)));
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

// A certificate is one ASN.1 sequence, of more than 255 bytes: tag 0x30, then 0x82 and two bytes with its length.
function isSequence(bytes: string | undefined): boolean {
  if (bytes === undefined) return false;
  const [tag, form, high = 0, low = 0] = [...bytes.slice(0, 4)].map((byte) => byte.charCodeAt(0));
  return tag === 0x30 && form === 0x82 && bytes.length === 4 + high * 256 + low;
}
