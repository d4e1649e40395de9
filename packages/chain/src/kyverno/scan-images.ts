import { isObject, type JsonObject, member } from '@kubeadmit/apimachinery';
import type { ClassicPolicy } from '../readers/policies.ts';
import type { Response } from './response.ts';

const notes = ['kyverno.io/verify-images', 'kyverno.io/verify-images-scoped'];

/** Returns an object without the annotations about verified images, so that a scan verifies all images again. */
export function withoutImageNotes(object: JsonObject): JsonObject {
  const { metadata } = object;
  const annotations = member(metadata, 'annotations');
  if (!isObject(metadata) || !isObject(annotations)) return object;
  const others = Object.entries(annotations).filter(([name]) => !notes.includes(name));
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(others) } };
}

/**
 * Combines the responses of the validate rules and of the verification of images for a scan (Kyverno's `ScanResource`):
 * the checks of annotations and digests are replaced by the verification itself, which changes nothing.
 */
export function scannedResponses(
  policies: readonly ClassicPolicy[],
  validated: readonly Response[],
  verified: readonly Response[],
): readonly Response[] {
  const rules = new Set(
    policies.flatMap(({ policy }) =>
      policy
        .mutationRules()
        .filter(({ images }) => images !== undefined)
        .map(({ name }) => keyOf(policy.namespace, policy.name, name)),
    ),
  );
  return [
    ...validated.map((response) => ({
      ...response,
      results: response.results.filter(
        ({ rule }) => !rules.has(keyOf(response.namespace, response.policy, rule)),
      ),
    })),
    ...verified.map((response) => ({
      ...response,
      results: response.results.map((result) => ({ ...result, type: 'Validation' as const })),
    })),
  ];
}

function keyOf(...names: readonly string[]): string {
  return names.join('/');
}
