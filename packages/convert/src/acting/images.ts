import { isObject, type JsonObject, listOf, memberText, objectOf } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';
import { parseKindSelector } from '@kubeadmit/kyverno/patterns';
import { all, any, member, not } from '../cel/term.ts';
import { someWildcardTest } from '../cel/wildcard.ts';
import {
  type ConstraintOptions,
  type Constraints,
  matchConstraints,
} from '../match/constraints.ts';
import type { Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { type AttestorSet, attestorSet } from './image-attestors.ts';
import { requestsOf } from './requests.ts';

/** The items of `verifyImages`, each with the spec of its ImageValidatingPolicy. */
export interface ConvertedImages {
  readonly items: readonly { readonly item: JsonObject; readonly spec: JsonObject }[];
  readonly lost: readonly Note[];
  readonly notes: readonly Note[];
}

/**
 * Converts a rule that verifies images to specs of ImageValidatingPolicies, without their actions.
 *
 * @throws Unsupported for parts that have no equivalent.
 */
export function convertImages(
  rule: JsonObject,
  policy: JsonObject,
  options: ConstraintOptions,
): ConvertedImages {
  if (rule['imageExtractors'] !== undefined) throw new Unsupported('`imageExtractors`');
  const { constraints, variables, matchConditions } = requestsOf(rule, options);
  const shared = {
    ...autogenOf(policy),
    matchConstraints: matchConstraints(constraints),
    ...(matchConditions.length > 0 && { matchConditions }),
  };
  const items = listOf(rule['verifyImages'])
    .filter(isObject)
    .map((item) => ({ item, spec: { ...shared, ...imageSpec(item, constraints) } }));
  return { items, lost: constraints.lost, notes: [...constraints.notes, ...variables.notes] };
}

/** The controllers of pods that the policy names; all where it names none. */
function autogenOf(policy: JsonObject): JsonObject {
  const annotations = objectOf(objectOf(policy['metadata'])['annotations']);
  const text = annotations['pod-policies.kyverno.io/autogen-controllers'];
  if (typeof text !== 'string') return {};
  const controllers = text === 'none' ? [] : text.split(',').map(resourceOf);
  return { autogen: { podControllers: { controllers } } };
}

function resourceOf(kind: string): string {
  return `${kind.trim().toLowerCase()}s`;
}

/**
 * The part of an ImageValidatingPolicy that an item of `verifyImages` becomes.
 *
 * @throws Unsupported for parts that have no equivalent.
 */
function imageSpec(item: JsonObject, { kinds }: Constraints): JsonObject {
  if (kinds.some((kind) => parseKindSelector(kind).kind !== 'Pod')) {
    throw new Unsupported('images of other kinds than Pod');
  }
  refuseUnknown(item);
  const sets = attestorSets(item['attestors'], item);
  const attestations = listOf(item['attestations'])
    .filter(isObject)
    .map((source, at) => attestationOf(source, item, `attestation${at + 1}`));
  if (sets.length + attestations.length === 0) {
    throw new Unsupported('images without attestors');
  }
  const all = [...sets, ...attestations.flatMap((attestation) => attestation.sets)];
  const cosigns = all.flatMap((set) => set.cosigns);
  const nameOf: NameOf = (cosign) => `attestor${cosigns.indexOf(cosign) + 1}`;
  return {
    ...selectionOf(item),
    ...(item['imageRegistryCredentials'] !== undefined && {
      credentials: item['imageRegistryCredentials'],
    }),
    validationConfigurations: {
      mutateDigest: item['mutateDigest'] !== false,
      verifyDigest: item['verifyDigest'] !== false,
      required: item['required'] !== false,
    },
    attestors: cosigns.map((cosign) => ({ name: nameOf(cosign), cosign })),
    ...(attestations.length > 0 && {
      attestations: attestations.map(({ name, type }) => ({ name, intoto: { type } })),
    }),
    validations: [
      ...sets.map((set) => signatureValidation(set, nameOf)),
      ...attestations.flatMap((attestation) => attestationValidations(attestation, nameOf)),
    ],
  };
}

const unknownFields = ['image', 'key', 'issuer', 'roots', 'cosignOCI11', 'validate'] as const;

function refuseUnknown(item: JsonObject): void {
  const type = memberText(item, 'type') || 'Cosign';
  if (type !== 'Cosign') throw new Unsupported(`signatures of the type ${type}`);
  const field = unknownFields.find((name) => item[name] !== undefined);
  if (field !== undefined) throw new Unsupported(`\`${field}\` of \`verifyImages\``);
}

/** Selects images by their names, as the rule does. */
function selectionOf(item: JsonObject): JsonObject {
  const references = textsOf(item['imageReferences']);
  const skipped = textsOf(item['skipImageReferences']);
  if (references.length === 0) throw new Unsupported('a rule without `imageReferences`');
  const isPlain = references.every((each) => !/[[\]{}\\]/.test(each));
  if (skipped.length === 0 && isPlain) {
    return { matchImageReferences: references.map((glob) => ({ glob })) };
  }
  const ref = member('ref');
  const test = all([
    any(someWildcardTest(ref, references)),
    not(any(someWildcardTest(ref, skipped))),
  ]);
  return { matchImageReferences: [{ expression: test.text }] };
}

interface ConvertedAttestation {
  readonly name: string;
  readonly type: string;
  readonly sets: readonly AttestorSet[];
}

function attestationOf(source: JsonObject, item: JsonObject, name: string): ConvertedAttestation {
  if (listOf(source['conditions']).length > 0) {
    throw new Unsupported(
      'conditions over an attestation',
      'write a validation over `extractPayload`',
    );
  }
  const type = memberText(source, 'type') || memberText(source, 'predicateType');
  const sets = attestorSets(source['attestors'], item);
  if (sets.length === 0) throw new Unsupported('an attestation without attestors');
  return { name, type, sets };
}

function attestorSets(source: unknown, item: JsonObject): readonly AttestorSet[] {
  return listOf(source)
    .filter(isObject)
    .map((set) => attestorSet(set, item));
}

/** Returns the name of an attestor in its policy. */
type NameOf = (cosign: JsonObject) => string;

function signatureValidation(set: AttestorSet, nameOf: NameOf): JsonObject {
  const call = `verifyImageSignatures(image, ${namesOf(set, nameOf)})`;
  return validation(call, set, 'image is not signed');
}

function attestationValidations(
  { name, type, sets }: ConvertedAttestation,
  nameOf: NameOf,
): readonly JsonObject[] {
  return sets.map((set) => {
    const names = namesOf(set, nameOf);
    const call = `verifyAttestationSignatures(image, attestations.${name}, ${names})`;
    return validation(call, set, `image has no signed attestation of the type ${type}`);
  });
}

function namesOf({ cosigns }: AttestorSet, nameOf: NameOf): string {
  return `[${cosigns.map((cosign) => `attestors.${nameOf(cosign)}`).join(', ')}]`;
}

const everyImage = '(images.containers + images.initContainers + images.ephemeralContainers)';

function validation(call: string, { count }: AttestorSet, message: string): JsonObject {
  return { expression: `${everyImage}.all(image, ${call} >= ${count})`, message };
}
