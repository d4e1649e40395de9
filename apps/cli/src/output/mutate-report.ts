import { explainChange, operationsOf } from '@kubeadmit/chain/findings';
import { stringifyJson } from '@kubeadmit/go';
import { version } from '../process/version.ts';
import { operationText, originText, shortOperationText } from './change-text.ts';
import type { MutatedManifest } from './mutated-manifest.ts';
import { printableLine, type Style } from './style.ts';

/** Formats the changes of an object for people, grouped by policy and mutation. */
export function diffText(
  { manifest, changes, generations }: MutatedManifest,
  style: Style,
): string {
  const head = `${style.bold(printableLine(manifest.title))} ${style.dim(`(${printableLine(manifest.file)})`)}`;
  const added = generations
    .map(({ policy, rule, message = '' }) => {
      const origin = rule === undefined ? policy : `${policy}, rule ${rule}`;
      return `  ${style.dim(printableLine(origin))}\n    ${printableLine(message)}\n`;
    })
    .join('');
  if (changes.length === 0) return `${head}: ${style.dim('unchanged')}\n${added}`;
  const policies = [...new Set(changes.map(({ policy, plugin = policy }) => plugin))];
  const groups = changes.map((change) => {
    const format = change.plugin === undefined ? operationText : shortOperationText;
    const lines = operationsOf(change).map((each) => `    ${format(each, style)}\n`);
    return `  ${style.dim(printableLine(originText(change)))}\n${lines.join('')}`;
  });
  return `${head}: changed by ${printableLine(policies.join(', '))}\n${groups.join('')}${added}`;
}

/** Formats the changes of all objects for programs, as one document. */
export function diffJsonText(mutated: readonly MutatedManifest[]): string {
  const results = mutated.map(({ manifest, changes, generations }) => ({
    file: manifest.file,
    resource: `${manifest.kind}/${manifest.name}`,
    namespace: manifest.namespace === '' ? undefined : manifest.namespace,
    line: manifest.line,
    changes: changes.map(explainChange),
    ...(generations.length > 0 && {
      generated: generations.map(({ policy, rule, generated }) => ({
        policy,
        rule,
        objects: generated,
      })),
    }),
  }));
  return `${stringifyJson({ version, results }, { indent: 2 })}\n`;
}
