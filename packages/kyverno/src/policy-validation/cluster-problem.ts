import type { JsonObject } from '@kubeadmit/apimachinery';
import { field, objectField, saysSomething, textsField } from '../fields/fields.ts';
import { parseKindSelector } from '../match/kind.ts';
import { placedFilters } from './kinds.ts';
import { type Problem, problemAt } from './problem.ts';

/** The first problem of a policy that Kyverno looks for in a cluster alone; its CLI does not. */
export function clusterProblem(
  rules: readonly JsonObject[],
  isBackground: boolean,
): Problem | undefined {
  for (const [at, rule] of rules.entries()) {
    const problem =
      (isBackground ? scannedSubresource(rule, at) : undefined) ?? generationProblem(rule, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// Scans read no subresources (`validKinds`).
function scannedSubresource(rule: JsonObject, at: number): Problem | undefined {
  if (!saysSomething(objectField(rule, 'validate'))) return undefined;
  for (const block of ['match', 'exclude']) {
    const filters = objectField(rule, block) ?? {};
    for (const [list, filter] of placedFilters(filters)) {
      const kinds = textsField(objectField(filter, 'resources') ?? {}, 'kinds');
      if (kinds.includes('*')) continue;
      const kind = kinds.find((each) => parseKindSelector(each).subresource !== '');
      if (kind === undefined) continue;
      const place = `spec.rules[${at}].${block}${list}.kinds`;
      return problemAt(place, `path: ${place}: background scan enabled with subresource ${kind}`);
    }
  }
  return undefined;
}

function generationProblem(rule: JsonObject, at: number): Problem | undefined {
  const isGenerating = saysSomething(objectField(rule, 'generate'));
  if (!isGenerating || field(rule, 'celPreconditions') === undefined) return undefined;
  const message = `path: spec.rules[${at}].generate..: celPrecondition can only be used with validate.cel`;
  return problemAt(`spec.rules[${at}].celPreconditions`, message);
}
