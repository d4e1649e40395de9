import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid } from '@kubeadmit/apimachinery/field-errors';
import { nameProblems, qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import type { Schemas } from '@kubeadmit/schemas';
import { transitionErrors } from './container-transitions.ts';
import { validatePodAnnotations } from './validate-pod-change.ts';

/**
 * Validates the generations, the class, the nominated node and the states of containers in a changed status
 * (core validation `ValidatePodStatusUpdate`).
 */
export function validatePodStatus(
  pod: KubernetesObject,
  old: KubernetesObject,
  { minor }: Schemas,
): readonly FieldError[] {
  const [status, before] = [pod, old].map((each) => member(each, 'status'));
  return [
    ...validatePodAnnotations(pod, old),
    ...memberList(status, 'conditions').flatMap((each, i) =>
      conditionErrors(each, `status.conditions[${i}]`),
    ),
    ...nominationErrors(pod, old, minor),
    ...generationErrors(status, 'status'),
    ...classErrors(status, before),
    ...transitionErrors(status, before, member(old, 'spec')),
  ];
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

// core validation `validatePodConditions`
function conditionErrors(condition: unknown, at: string): FieldError[] {
  const errors = generationErrors(condition, at);
  const type = memberText(condition, 'type');
  if (systemConditions.has(type)) return errors;
  const problems = qualifiedNameProblems(type);
  return [...errors, ...problems.map((problem) => invalid(`${at}.Type`, type, problem))];
}

function generationErrors(owner: unknown, at: string): FieldError[] {
  const generation = member(owner, 'observedGeneration') ?? 0;
  if (Number(generation) >= 0) return [];
  return [invalid(`${at}.observedGeneration`, generation, 'must be a non-negative integer')];
}

function nominationErrors(
  pod: KubernetesObject,
  old: KubernetesObject,
  minor: number,
): FieldError[] {
  const [name, before] = [pod, old].map((each) =>
    memberText(member(each, 'status'), 'nominatedNodeName'),
  ) as [string, string];
  if (name === before || name === '') return [];
  const at = 'status.nominatedNodeName';
  const problems = nameProblems(name, 'dns1123Subdomain');
  const isBound = memberText(member(old, 'spec'), 'nodeName') !== '';
  const isRefused = isBound && isFeatureOn('ClearingNominatedNodeNameAfterBinding', minor);
  return [
    ...problems.map((problem) => invalid(at, name, problem)),
    ...(isRefused
      ? [forbidden(at, 'may not be set on pods that are already bound to a node')]
      : []),
  ];
}

function classErrors(status: unknown, before: unknown): FieldError[] {
  const [now, then] = [status, before].map((each) => memberText(each, 'qosClass'));
  return now === then ? [] : [invalid('status.qosClass', now, 'field is immutable')];
}
