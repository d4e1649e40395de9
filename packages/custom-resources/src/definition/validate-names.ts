import { type JsonObject, memberText, memberTexts } from '@kubeadmit/apimachinery';
import { dns1035LabelProblems } from '@kubeadmit/apimachinery/names';
import { childPath, type Finding, invalid, keyPath } from '../schema/finding.ts';

/** Checks the names of a kind (apiextensions, `ValidateCustomResourceDefinitionNames`). */
export function validateNames(names: JsonObject, path: string): Finding[] {
  const findings: Finding[] = [];
  for (const key of ['plural', 'singular', 'kind', 'listKind']) {
    const name = memberText(names, key);
    const isKind = key === 'kind' || key === 'listKind';
    const problems = name === '' ? [] : dns1035LabelProblems(isKind ? name.toLowerCase() : name);
    if (problems.length === 0) continue;
    const prefix = isKind ? 'may have mixed case, but should otherwise match: ' : '';
    findings.push(invalid(childPath(path, key), name, prefix + problems.join(',')));
  }
  const listed = (key: string): void => {
    memberTexts(names, key).forEach((name, index) => {
      const problems = dns1035LabelProblems(name);
      if (problems.length === 0) return;
      findings.push(invalid(keyPath(childPath(path, key), index), name, problems.join(',')));
    });
  };
  listed('shortNames');
  const [kind, listKind] = [memberText(names, 'kind'), memberText(names, 'listKind')];
  if (kind !== '' && kind === listKind) {
    const detail = 'kind and listKind may not be the same';
    findings.push(invalid(childPath(path, 'listKind'), listKind, detail));
  }
  listed('categories');
  return findings;
}
