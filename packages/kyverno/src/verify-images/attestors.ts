import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { ImageVerifier } from '../context/image-verifier.ts';
import { field } from '../fields/fields.ts';
import { Problem } from './problem.ts';
import {
  type AttestorSet,
  expandKeys,
  type ImageItem,
  readAttestorSet,
  requiredCount,
} from './rule.ts';
import { attestorCheck } from './signature-check.ts';

/**
 * Verifies an image by all sets of attestors of an item and returns the digest that the last one confirms
 * (Kyverno's `verifyAttestors`).
 */
export function verifyAttestors(
  verifier: ImageVerifier,
  item: ImageItem,
  image: string,
): string | Problem {
  let digest = '';
  for (const [at, set] of item.attestors.entries()) {
    const verified = verifySet({ verifier, item, image }, set, `.attestors[${at}]`);
    if (verified instanceof Problem) return verified;
    digest = verified;
  }
  return digest;
}

interface Verification {
  readonly verifier: ImageVerifier;
  readonly item: ImageItem;
  readonly image: string;
}

function verifySet(task: Verification, set: AttestorSet, path: string): string | Problem {
  const expanded = expandKeys(set);
  const problems: Problem[] = [];
  let verifiedCount = 0;
  for (const [at, entry] of expanded.entries.entries()) {
    const verified = verifyEntry(task, entry, `${path}.entries[${at}]`);
    if (verified instanceof Problem) {
      problems.push(verified);
      continue;
    }
    verifiedCount++;
    if (verifiedCount >= requiredCount(expanded)) return verified;
  }
  return Problem.joined(problems);
}

function verifyEntry(task: Verification, entry: JsonObject, path: string): string | Problem {
  const nested = field(entry, 'attestor');
  if (nested !== undefined) {
    return verifySet(task, readAttestorSet(isObject(nested) ? nested : {}), `${path}.attestor`);
  }
  const { check, step } = attestorCheck(entry, task.item, task.image, '');
  const answer = task.verifier.verifySignature(check);
  return 'error' in answer ? Problem.from(answer).at(path + step) : answer.digest;
}
