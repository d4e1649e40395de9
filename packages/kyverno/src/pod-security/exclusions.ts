import {
  type Container,
  makePod,
  type Pod,
  type PodFieldError,
} from '@kubeadmit/pod-security/unstable-internal';
import { matchesWildcard } from '../match/wildcard.ts';
import type { Exclusion } from '../rule/exception.ts';
import { type CheckResult, checkControl, type Standard } from './checks.ts';

/** The results that exclusions leave (Kyverno's `ApplyPodSecurityExclusion`). */
export function applyExclusions(
  pod: Pod,
  results: readonly CheckResult[],
  exclusions: readonly Exclusion[],
  standard: Standard,
): readonly CheckResult[] {
  return exclusions.reduce(
    (left, exclusion) => applyExclusion(pod, left, exclusion, standard),
    results,
  );
}

function applyExclusion(
  pod: Pod,
  results: readonly CheckResult[],
  exclusion: Exclusion,
  standard: Standard,
): readonly CheckResult[] {
  const isOfPod = exclusion.images.length === 0;
  const excluded = isOfPod ? withoutContainers(pod) : withContainers(pod, exclusion.images);
  const errorsLeft = new Map(results.map((result) => [result.place, [...result.errors]]));
  for (const { place, errors } of checkControl(excluded, standard, exclusion.controlName)) {
    for (const error of errors) {
      const wanted = identityOf(excluded, error, !isOfPod);
      if (!isExcluded(exclusion, wanted.field, error)) continue;
      const left = errorsLeft.get(place) ?? [];
      const at = left.findIndex((candidate) => {
        const identity = identityOf(pod, candidate, !isOfPod);
        const isSame = identity.container === undefined || identity.container === wanted.container;
        return identity.field === wanted.field && isSame;
      });
      removeAt(left, at);
    }
  }
  return results
    .map(({ reason, place, control }) => ({
      reason,
      errors: errorsLeft.get(place) ?? [],
      place,
      control,
    }))
    .filter((result, at) => result.errors.length > 0 || results[at]?.errors.length === 0);
}

function isExcluded(
  { restrictedField, values }: Exclusion,
  field: string,
  error: PodFieldError,
): boolean {
  if (restrictedField !== '' && restrictedField !== field) return false;
  const found = valuesOf(error);
  return (
    values.length === 0 ||
    found.every((value) => values.some((pattern) => matchesWildcard(pattern, value)))
  );
}

function valuesOf({ value }: PodFieldError): readonly string[] {
  if (value === undefined || value === '') return [];
  return typeof value === 'object' ? value : [String(value)];
}

/** The pod's own fields with a container that says nothing. */
function withoutContainers({ annotations, spec }: Pod): Pod {
  const { initContainers: _init, ephemeralContainers: _ephemeral, ...rest } = spec;
  return makePod(annotations, { ...rest, containers: [{ name: 'fake' }] });
}

/** The containers of some images with nothing of the pod's own fields. */
function withContainers({ spec }: Pod, images: readonly string[]): Pod {
  const chosen = (containers: readonly Container[] = []): readonly Container[] =>
    containers.filter(({ image = '' }) =>
      images.some((pattern) => matchesWildcard(pattern, image)),
    );
  return makePod(
    {},
    {
      containers: chosen(spec.containers),
      initContainers: chosen(spec.initContainers),
      ephemeralContainers: chosen(spec.ephemeralContainers),
    },
  );
}

/** A field with `*` for every number in it, and the name of the container that it belongs to, if that counts. */
function identityOf(
  { containers }: Pod,
  { field }: PodFieldError,
  byContainer: boolean,
): { readonly field: string; readonly container?: string } {
  const pattern = field.replaceAll(/\d+/g, '*');
  if (!byContainer) return { field: pattern };
  const placed = containers.find(({ path }) => field.startsWith(`${path}.`));
  return placed === undefined
    ? { field: pattern }
    : { field: pattern, container: placed.container.name ?? '' };
}

/** Takes an item out, the last one coming into its place, as Kyverno does. */
function removeAt(errors: PodFieldError[], at: number): void {
  if (at < 0) return;
  const last = errors.pop();
  if (last !== undefined && at < errors.length) errors[at] = last;
}
