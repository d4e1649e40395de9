import { type JsonObject, stringMapOf } from '@kubeadmit/apimachinery';
import type { SignatureType } from '../context/image-verifier.ts';
import {
  field,
  listField,
  objectField,
  objectsField,
  stringField,
  textsField,
} from '../fields/fields.ts';
import { readAction } from '../rule/failure-action.ts';
import type { FailureAction } from '../trace/rule-result.ts';

/** A rule that verifies images. */
export interface ImageVerification {
  /** `verifyImages` as the policy has it. */
  readonly source: readonly JsonObject[];
  /** Whether the rule requires digests or verified images when it validates. */
  readonly requires: boolean;
  /** The action that the items of the rule name; `Enforce` if any of them names it. */
  readonly action: FailureAction | undefined;
}

/** An item of `verifyImages`, after variables were replaced. */
export interface ImageItem {
  readonly source: JsonObject;
  readonly type: SignatureType;
  readonly references: readonly string[];
  readonly skippedReferences: readonly string[];
  readonly attestors: readonly AttestorSet[];
  readonly attestations: readonly Attestation[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly repository: string;
  readonly roots: string;
  readonly usesReferrers: boolean;
  readonly mutatesDigest: boolean;
  readonly verifiesDigest: boolean;
  readonly isRequired: boolean;
  /** Conditions over all attestations (`validate.deny`); undefined without them. */
  readonly deny: JsonObject | undefined;
  readonly denyMessage: string;
}

/** Attestors of which some number is required. */
export interface AttestorSet {
  /** How many entries are required; 0 for all. */
  readonly count: number;
  /** The entries of the policy. */
  readonly entries: readonly JsonObject[];
}

/** An expected attestation. */
export interface Attestation {
  readonly name: string;
  readonly type: string;
  readonly attestors: readonly AttestorSet[];
  readonly conditions: readonly JsonObject[];
}

/** Reads the `verifyImages` of a rule; undefined for a rule without it. */
export function compileImageVerification(rule: JsonObject): ImageVerification | undefined {
  const source = objectsField(rule, 'verifyImages');
  if (source.length === 0) return undefined;
  const items = source.map(readItem);
  const actions = source.map((item) => readAction(field(item, 'failureAction')));
  return {
    source,
    requires: items.some(({ verifiesDigest, isRequired }) => verifiesDigest || isRequired),
    action: actions.includes('Enforce')
      ? 'Enforce'
      : actions.find((action) => action !== undefined),
  };
}

/** Reads an item of `verifyImages`; deprecated fields become attestors (Kyverno's `Convert`). */
export function readItem(source: JsonObject): ImageItem {
  const image = stringField(source, 'image');
  const isOld = ['image', 'key', 'issuer'].some((name) => stringField(source, name) !== '');
  const type = stringField(source, 'type');
  const validate = objectField(source, 'validate') ?? {};
  const attestations = objectsField(source, 'attestations').map(readAttestation);
  const old = isOld ? oldAttestor(source) : undefined;
  return {
    source,
    type: type === 'Notary' || type === 'SigstoreBundle' ? type : 'Cosign',
    references: [...textsField(source, 'imageReferences'), ...(image === '' ? [] : [image])],
    skippedReferences: textsField(source, 'skipImageReferences'),
    attestors: [
      ...objectsField(source, 'attestors').map(readAttestorSet),
      ...(old !== undefined && attestations.length === 0 ? [old] : []),
    ],
    attestations,
    annotations: stringMapOf(field(source, 'annotations')),
    repository: stringField(source, 'repository'),
    roots: isOld ? '' : stringField(source, 'roots'),
    usesReferrers: field(source, 'cosignOCI11') === true,
    mutatesDigest: field(source, 'mutateDigest') !== false,
    verifiesDigest: field(source, 'verifyDigest') !== false,
    isRequired: field(source, 'required') !== false,
    deny: objectField(validate, 'deny'),
    denyMessage: stringField(validate, 'message'),
  };
}

function oldAttestor(source: JsonObject): AttestorSet | undefined {
  const { key, issuer, subject, roots } = {
    key: stringField(source, 'key'),
    issuer: stringField(source, 'issuer'),
    subject: stringField(source, 'subject'),
    roots: stringField(source, 'roots'),
  };
  const annotations = objectField(source, 'annotations');
  if (key === '' && issuer === '' && annotations === undefined) return undefined;
  const entry = {
    ...(annotations && { annotations }),
    ...(key !== '' && { keys: { publicKeys: key } }),
    ...(key === '' && issuer !== '' && { keyless: { issuer, subject, roots } }),
  };
  return { count: 0, entries: [entry] };
}

/** Reads a set of attestors. */
export function readAttestorSet(source: JsonObject): AttestorSet {
  const count = field(source, 'count');
  return {
    count: typeof count === 'number' ? count : 0,
    entries: objectsField(source, 'entries'),
  };
}

const endOfKey = '-----END PUBLIC KEY-----';

/** How many entries of a set must be satisfied. */
export function requiredCount({ count, entries }: AttestorSet): number {
  return count === 0 ? entries.length : count;
}

/** Returns a set of attestors with one entry for each of several public keys. */
export function expandKeys({ count, entries }: AttestorSet): AttestorSet {
  return { count, entries: entries.flatMap(expandEntry) };
}

function expandEntry(entry: JsonObject): readonly JsonObject[] {
  const keys = objectField(entry, 'keys');
  if (keys === undefined) return [entry];
  const parts = stringField(keys, 'publicKeys').split(endOfKey).slice(0, -1);
  if (parts.length < 2) return [entry];
  return parts.map((part) => ({ ...entry, keys: { ...keys, publicKeys: part + endOfKey } }));
}

function readAttestation(source: JsonObject): Attestation {
  return {
    name: stringField(source, 'name'),
    type: stringField(source, 'type') || stringField(source, 'predicateType'),
    attestors: objectsField(source, 'attestors').map(readAttestorSet),
    conditions: listField(source, 'conditions') as readonly JsonObject[],
  };
}
