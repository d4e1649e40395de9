import { type JsonObject, stringMapOf } from '@kubeadmit/apimachinery';
import type { SignatureCheck } from '../context/image-verifier.ts';
import { field, objectField, stringField } from '../fields/fields.ts';
import type { ImageItem } from './rule.ts';

/** A check, and the step of its path that names the kind of attestor, such as `.keys`. */
export interface AttestorCheck {
  readonly check: SignatureCheck;
  readonly step: string;
}

/** Returns the requirements of an entry of attestors, with the type of the attestation if it is about one. */
export function attestorCheck(
  entry: JsonObject,
  item: ImageItem,
  image: string,
  predicateType: string,
): AttestorCheck {
  const [step, attestor] = attestorOf(entry);
  const isNotary = item.type === 'Notary';
  const annotations = objectField(entry, 'annotations');
  const certificates = objectField(entry, 'certificates') ?? {};
  const check = {
    image,
    type: item.type,
    ...(isNotary ? emptyAttestor : attestorFields(step, attestor)),
    roots: isNotary ? '' : (step === '.keyless' && stringField(attestor, 'roots')) || item.roots,
    certificate: stringField(certificates, 'cert'),
    certificateChain: stringField(certificates, 'certChain'),
    annotations: stringMapOf(annotations ?? (isNotary ? {} : item.annotations)),
    repository: stringField(entry, 'repository') || (isNotary ? '' : item.repository),
    usesReferrers: item.usesReferrers,
    predicateType,
    ...(isNotary ? emptyLog : logFields(attestor, predicateType !== '')),
  };
  return { check, step: isNotary ? '' : step };
}

function attestorOf(entry: JsonObject): readonly [step: string, attestor: JsonObject] {
  for (const name of ['keys', 'certificates', 'keyless']) {
    const attestor = objectField(entry, name);
    if (attestor !== undefined) return [`.${name}`, attestor];
  }
  return ['', {}];
}

const emptyAttestor = {
  key: '',
  signatureAlgorithm: '',
  subject: '',
  subjectRegExp: '',
  issuer: '',
  issuerRegExp: '',
  additionalExtensions: {},
};

function attestorFields(step: string, attestor: JsonObject): typeof emptyAttestor {
  if (step === '.keys') {
    return {
      ...emptyAttestor,
      key: keyOf(attestor),
      signatureAlgorithm: stringField(attestor, 'signatureAlgorithm'),
    };
  }
  if (step !== '.keyless') return emptyAttestor;
  return {
    ...emptyAttestor,
    subject: stringField(attestor, 'subject'),
    subjectRegExp: stringField(attestor, 'subjectRegExp'),
    issuer: stringField(attestor, 'issuer'),
    issuerRegExp: stringField(attestor, 'issuerRegExp'),
    additionalExtensions: stringMapOf(field(attestor, 'additionalExtensions')),
  };
}

/** The public key of an attestor, or the reference to one. */
function keyOf(keys: JsonObject): string {
  const publicKeys = stringField(keys, 'publicKeys');
  if (publicKeys !== '') return publicKeys;
  const secret = objectField(keys, 'secret');
  if (secret === undefined) return stringField(keys, 'kms');
  return `k8s://${stringField(secret, 'namespace')}/${stringField(secret, 'name')}`;
}

const emptyLog = {
  ignoresLog: false,
  logKey: '',
  ignoresTimestamp: false,
  timestampKey: '',
  timestampChain: '',
};

/** The fields of an attestor about transparency logs; attestations without it need no certificate timestamp. */
function logFields(attestor: JsonObject, isAttestation: boolean): typeof emptyLog {
  const rekor = objectField(attestor, 'rekor') ?? {};
  const log = objectField(attestor, 'ctlog');
  const isGiven = Object.keys(attestor).length > 0;
  return {
    ignoresLog: field(rekor, 'ignoreTlog') === true,
    logKey: stringField(rekor, 'pubkey'),
    ignoresTimestamp:
      log === undefined ? isAttestation && !isGiven : field(log, 'ignoreSCT') === true,
    timestampKey: stringField(log ?? {}, 'pubkey'),
    timestampChain: stringField(log ?? {}, 'tsaCertChain'),
  };
}
