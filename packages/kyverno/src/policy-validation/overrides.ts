import type { JsonObject } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { field, objectsField, textsField } from '../fields/fields.ts';
import { hasWildcard, matchesWildcard } from '../match/wildcard.ts';
import { readAction } from '../rule/failure-action.ts';

/** The first overrides of failure actions that contradict each other (`validateNamespaces`). */
export function overrideProblem(owner: JsonObject, name: string, path: string): string | undefined {
  const named = { Enforce: new Set<string>(), Audit: new Set<string>() };
  const patterns = { Enforce: new Set<string>(), Audit: new Set<string>() };
  for (const [at, override] of objectsField(owner, name).entries()) {
    const action = readAction(field(override, 'action'));
    if (action === undefined) return 'invalid action';
    const other = action === 'Audit' ? 'Enforce' : 'Audit';
    const namespaces = textsField(override, 'namespaces');
    const exact = namespaces.filter((namespace) => !hasWildcard(namespace));
    const place = `${path}[${at}].namespaces`;
    const shared = [...new Set(exact)].filter((namespace) => named[other].has(namespace));
    if (shared.length > 0) {
      return `conflicting namespaces found in path: ${place}: ${shared.sort(compareText).join(', ')}`;
    }
    for (const namespace of namespaces) {
      (hasWildcard(namespace) ? patterns : named)[action].add(namespace);
    }
    const problem =
      covered(patterns.Audit, named.Enforce, 'matches with namespace') ??
      covered(patterns.Enforce, named.Audit, 'matches with namespace') ??
      covered(patterns.Audit, patterns.Enforce, 'conflicts with the pattern') ??
      covered(patterns.Enforce, patterns.Audit, 'conflicts with the pattern');
    if (problem !== undefined) return `path: ${place}: ${problem}`;
  }
  return undefined;
}

function covered(
  patterns: ReadonlySet<string>,
  names: ReadonlySet<string>,
  relation: string,
): string | undefined {
  for (const name of [...names].sort(compareText)) {
    for (const pattern of [...patterns].sort(compareText)) {
      if (!matchesWildcard(pattern, name)) continue;
      return `wildcard pattern '${pattern}' ${relation} '${name}'`;
    }
  }
  return undefined;
}
