import { isObject, type JsonObject, listOf, memberText, objectOf } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';
import { parseKindSelector } from '@kubeadmit/kyverno/unstable-internal';
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

/** The specs of ImageValidatingPolicies, one for each item of `verifyImages`. */
export interface ConvertedImages {
  readonly specs: readonly JsonObject[];
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
  const items = listOf(rule['verifyImages']).filter(isObject);
  const specs = items.map((item) => ({
    ...autogenOf(policy),
    matchConstraints: matchConstraints(constraints),
    ...(matchConditions.length > 0 && { matchConditions }),
    ...imageSpec(item, constraints),
  }));
  return { specs, lost: constraints.lost, notes: [...constraints.notes, ...variables.notes] };
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
  const sets = attestorSets(item['attestors'], item, 0);
  let count = countOf(sets);
  const attestations = listOf(item['attestations'])
    .filter(isObject)
    .map((source, at) => {
      const made = attestationOf(source, item, { at, before: count });
      count += countOf(made.sets);
      return made;
    });
  if (sets.length + attestations.length === 0) {
    throw new Unsupported('images without attestors');
  }
  const attestors = [...sets, ...attestations.flatMap((each) => each.sets)];
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
    attestors: attestors.flatMap((set) => set.attestors),
    ...(attestations.length > 0 && {
      attestations: attestations.map(({ name, type }) => ({ name, intoto: { type } })),
    }),
    validations: [
      ...sets.map((set) =>
        validation(`verifyImageSignatures(image, ${namesOf(set)})`, set, 'image is not signed'),
      ),
      ...attestations.flatMap(({ name, type, sets: own }) =>
        own.map((set) =>
          validation(
            `verifyAttestationSignatures(image, attestations.${name}, ${namesOf(set)})`,
            set,
            `image has no signed attestation of the type ${type}`,
          ),
        ),
      ),
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

function attestationOf(
  source: JsonObject,
  item: JsonObject,
  { at, before }: { readonly at: number; readonly before: number },
): ConvertedAttestation {
  if (listOf(source['conditions']).length > 0) {
    throw new Unsupported(
      'conditions over an attestation',
      'write a validation over `extractPayload`',
    );
  }
  const type = memberText(source, 'type') || memberText(source, 'predicateType');
  const sets = attestorSets(source['attestors'], item, before);
  if (sets.length === 0) throw new Unsupported('an attestation without attestors');
  return { name: `attestation${at + 1}`, type, sets };
}

/** Converts sets of attestors, with names that continue after others. */
function attestorSets(source: unknown, item: JsonObject, before: number): readonly AttestorSet[] {
  const sets: AttestorSet[] = [];
  for (const set of listOf(source).filter(isObject)) {
    sets.push(attestorSet(set, item, before + countOf(sets)));
  }
  return sets;
}

function countOf(sets: readonly AttestorSet[]): number {
  return sets.reduce((count, { attestors }) => count + attestors.length, 0);
}

function namesOf({ attestors }: AttestorSet): string {
  return `[${attestors.map(({ name }) => `attestors.${String(name)}`).join(', ')}]`;
}

const everyImage = '(images.containers + images.initContainers + images.ephemeralContainers)';

function validation(call: string, { count }: AttestorSet, message: string): JsonObject {
  return { expression: `${everyImage}.all(image, ${call} >= ${count})`, message };
}
