import { type JsonObject, listOf, memberText, objectOf } from '@kubeadmit/apimachinery';
import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import { Unsupported } from '../notes/unsupported.ts';

/** The attestors of a set by Cosign, and how many of them have to sign. */
export interface AttestorSet {
  readonly cosigns: readonly JsonObject[];
  readonly count: number;
}

/**
 * Converts an entry of `attestors` to attestors of an ImageValidatingPolicy, which have no names yet.
 *
 * @throws Unsupported for signers that an ImageValidatingPolicy does not have
 */
export function attestorSet(set: JsonObject, item: JsonObject): AttestorSet {
  const cosigns = listOf(set['entries']).flatMap((entry) => cosignsOf(objectOf(entry), item));
  const { count } = set;
  return { cosigns, count: typeof count === 'number' && count > 0 ? count : cosigns.length };
}

const endOfKey = '-----END PUBLIC KEY-----';

/** Several public keys in one string are several signers. */
function cosignsOf(entry: JsonObject, item: JsonObject): readonly JsonObject[] {
  const shared = {
    ...annotationsOf(entry['annotations'] ?? item['annotations']),
    ...sourceOf(memberText(entry, 'repository') || memberText(item, 'repository')),
  };
  const { keys, keyless, certificates } = entry;
  if (keys !== undefined) {
    const given = objectOf(keys);
    return keysOf(given).map((key) => ({ key, ...shared, ...logOf(given) }));
  }
  if (keyless !== undefined) {
    const given = objectOf(keyless);
    return [{ keyless: keylessOf(given), ...shared, ...logOf(given) }];
  }
  if (certificates !== undefined) {
    const given = objectOf(certificates);
    return [{ certificate: certificateOf(given), ...shared, ...logOf(given) }];
  }
  const [form = 'nothing'] = Object.keys(entry);
  throw new Unsupported(`an attestor by \`${form}\``);
}

function keysOf(keys: JsonObject): readonly JsonObject[] {
  const text = memberText(keys, 'publicKeys');
  const algorithm = memberText(keys, 'signatureAlgorithm');
  const hash = algorithm === '' ? {} : { hashAlgorithm: algorithm };
  if (text.startsWith('k8s://') || keys['secret'] !== undefined) {
    throw new Unsupported('a public key in a Secret', 'write the key into the policy');
  }
  const kms = memberText(keys, 'kms');
  if (text === '') return [{ kms, ...hash }];
  const parts = text.split(endOfKey).slice(0, -1);
  if (parts.length < 2) return [{ data: text, ...hash }];
  return parts.map((part) => ({ data: `${part.trimStart()}${endOfKey}\n`, ...hash }));
}

function keylessOf(keyless: JsonObject): JsonObject {
  for (const name of ['roots', 'additionalExtensions']) {
    if (keyless[name] !== undefined) throw new Unsupported(`\`${name}\` of a keyless attestor`);
  }
  const identity = {
    ...nameOf('issuer', keyless),
    ...nameOf('subject', keyless),
  };
  return { identities: [identity] };
}

/** A name of a certificate; an ImageValidatingPolicy knows no wildcards in it. */
function nameOf(field: 'issuer' | 'subject', keyless: JsonObject): JsonObject {
  const expression = memberText(keyless, `${field}RegExp`);
  if (expression !== '') return { [`${field}RegExp`]: expression };
  const text = memberText(keyless, field);
  if (text === '') return { [`${field}RegExp`]: '.*' };
  return hasWildcard(text) ? { [`${field}RegExp`]: patternOf(text) } : { [field]: text };
}

function patternOf(text: string): string {
  const escaped = text.replace(/[\\.+()|[\]{}^$]/g, '\\$&');
  return `^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`;
}

function certificateOf(certificates: JsonObject): JsonObject {
  const names = ['cert', 'certChain'].filter((name) => certificates[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, { value: certificates[name] }]));
}

function annotationsOf(annotations: unknown): JsonObject {
  return annotations === undefined ? {} : { annotations };
}

function sourceOf(repository: string): JsonObject {
  return repository === '' ? {} : { source: { repository } };
}

/** The settings of transparency logs. */
function logOf(attestor: JsonObject): JsonObject {
  const { url, pubkey, ignoreTlog } = objectOf(attestor['rekor']);
  const log = objectOf(attestor['ctlog']);
  const settings = {
    url,
    rekorPubKey: pubkey,
    insecureIgnoreTlog: ignoreTlog,
    insecureIgnoreSCT: log['ignoreSCT'],
    ctLogPubKey: log['pubkey'],
    tsaCertChain: log['tsaCertChain'],
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { ctlog: Object.fromEntries(given) };
}
