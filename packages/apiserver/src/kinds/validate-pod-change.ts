import {
  annotationsOf,
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid, required } from '@kubeadmit/apimachinery/field-errors';
import { isPlainObject } from '@kubeadmit/base';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import { withGatedFields } from './gated-pod.ts';
import { internalJson, type Members } from './internal-json.ts';
import { unifiedDiff } from './unified-diff.ts';

const podSpec = 'core.v1.PodSpec';
const maxInt32 = 2 ** 31 - 1;

/** The fields that may change, as the message lists them. */
const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Returns the errors about fields of a pod that an update may not change (core validation `ValidatePodUpdate`). */
export function validatePodChange(
  pod: KubernetesObject,
  old: KubernetesObject,
  schemas: Schemas,
): readonly FieldError[] {
  const [spec, before] = [member(pod, 'spec'), member(old, 'spec')] as [Members, Members];
  return [...validatePodAnnotations(pod, old), ...specErrors(schemas, spec, before)];
}

const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Annotations that no update may add, change or remove. */
const frozenAnnotations = [
  { isMeant: (name: string) => name.startsWith(appArmor), text: 'AppArmor annotations' },
  {
    isMeant: (name: string) => name === 'kubernetes.io/config.mirror',
    text: 'mirror pod annotation',
  },
];

/** Returns the errors about annotations that may not change (core validation `ValidatePodSpecificAnnotationUpdates`). */
export function validatePodAnnotations(
  pod: KubernetesObject,
  old: KubernetesObject,
): readonly FieldError[] {
  const [now, before] = [annotationsOf(pod), annotationsOf(old)];
  const refused = (names: readonly string[], verb: string): FieldError[] =>
    names.flatMap((name) => {
      const frozen = frozenAnnotations.find(({ isMeant }) => isMeant(name));
      if (frozen === undefined) return [];
      return [forbidden(`metadata.annotations[${name}]`, `may not ${verb} ${frozen.text}`)];
    });
  return [
    ...refused(
      Object.keys(before).filter((name) => now[name] !== before[name]),
      'remove or update',
    ),
    ...refused(
      Object.keys(now).filter((name) => !Object.hasOwn(before, name)),
      'add',
    ),
  ];
}

function specErrors(schemas: Schemas, spec: Members, before: Members): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ['containers', 'initContainers']) {
    const containers = memberList(spec, list);
    if (containers.length !== memberList(before, list).length) {
      return [...errors, forbidden(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
    errors.push(...containers.flatMap((each, i) => imageErrors(each, `spec.${list}[${i}].image`)));
  }
  const deadline = deadlineError(spec, before);
  if (deadline !== undefined) errors.push(deadline.error);
  if (deadline?.isLast === true) return errors;
  errors.push(...tolerationErrors(schemas, spec, before), ...gateErrors(spec, before));
  if (isSameStruct(schemas, podSpec, spec, before)) return errors;
  const gated = withGatedFields(schemas, withChangeableFields(spec, before), before);
  return [...errors, ...gated.errors, ...otherErrors(schemas, gated.spec, before)];
}

function imageErrors(container: unknown, at: string): FieldError[] {
  const image = memberText(container, 'image');
  if (image === '') return [required(at)];
  const isTrimmed = image.trim() === image;
  return isTrimmed ? [] : [invalid(at, image, 'must not have leading or trailing whitespace')];
}

/** The error about the deadline, which can only get shorter, and whether the server stops there. */
function deadlineError(
  spec: Members,
  before: Members,
): { readonly error: FieldError; readonly isLast: boolean } | undefined {
  const field = 'activeDeadlineSeconds';
  const [now, then] = [spec[field] ?? null, before[field] ?? null];
  const refusal = (text: string): ReturnType<typeof deadlineError> => ({
    error: invalid(`spec.${field}`, now, text),
    isLast: now !== null,
  });
  if (now === null) {
    return then === null
      ? undefined
      : refusal('must not update from a positive integer to nil value');
  }
  if (Number(now) < 0 || Number(now) > maxInt32) {
    return refusal(`must be between 0 and ${maxInt32}, inclusive`);
  }
  const isLonger = then !== null && Number(then) < Number(now);
  return isLonger ? refusal('must be less than or equal to previous value') : undefined;
}

// Only the seconds of a toleration may change.
function tolerationErrors(schemas: Schemas, spec: Members, before: Members): FieldError[] {
  const withoutSeconds = (toleration: unknown): object => {
    const { tolerationSeconds: _, ...rest } = toleration as Members;
    return rest;
  };
  const now = memberList(spec, 'tolerations').map(withoutSeconds);
  const isKept = (old: object): boolean =>
    now.some((each) => isSameStruct(schemas, 'core.v1.Toleration', each, old));
  if (memberList(before, 'tolerations').map(withoutSeconds).every(isKept)) return [];
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return [forbidden('spec.tolerations', why)];
}

function gateErrors(spec: Members, before: Members): FieldError[] {
  const gatesOf = (each: Members): readonly string[] =>
    memberList(each, 'schedulingGates').map((gate) => memberText(gate, 'name'));
  const known = gatesOf(before);
  return gatesOf(spec).flatMap((gate, i) => {
    if (known.includes(gate)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${gate}'`;
    return [forbidden(`spec.schedulingGates[${i}].name`, why)];
  });
}

/** A spec in which the fields that may change, or that were validated, are those of the old one. */
function withChangeableFields(spec: Members, before: Members): Members {
  const grace = before['terminationGracePeriodSeconds'];
  const isRepaired = Number(grace) < 0 && spec['terminationGracePeriodSeconds'] === 1;
  return {
    ...spec,
    containers: withImagesOf(spec, before, 'containers'),
    initContainers: withImagesOf(spec, before, 'initContainers'),
    activeDeadlineSeconds: before['activeDeadlineSeconds'],
    schedulingGates: before['schedulingGates'],
    tolerations: before['tolerations'],
    ...(isRepaired ? { terminationGracePeriodSeconds: grace } : {}),
  };
}

function withImagesOf(spec: Members, before: Members, list: string): readonly object[] | undefined {
  const old = memberList(before, list);
  const containers = memberList(spec, list).map((container, i) => ({
    ...(isPlainObject(container) ? container : {}),
    image: member(old[i], 'image'),
  }));
  return containers.length === 0 ? undefined : containers;
}

function otherErrors(schemas: Schemas, spec: Members, before: Members): readonly FieldError[] {
  if (isSameStruct(schemas, podSpec, spec, before)) return [];
  const [old, now] = [before, spec].map((each) => internalJson(schemas, podSpec, each)) as [
    string,
    string,
  ];
  const text = `pod updates may not change fields other than ${changeable}\n${unifiedDiff(old, now)}`;
  return [forbidden('spec', text)];
}
