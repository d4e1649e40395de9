import { type Change, type ChangedValue, operationsOf } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import type { MutatedManifest } from '../mutate/mutated-manifest.ts';
import { version } from '../version.ts';
import { printable, type Style } from './style.ts';

/** What changed in an object, for people: each change under the policy and mutation that made it. */
export function diffText({ manifest, changes }: MutatedManifest, style: Style): string {
  const head = `${style.bold(printable(manifest.title))} ${style.dim(`(${printable(manifest.file)})`)}`;
  if (changes.length === 0) return `${head}: ${style.dim('unchanged')}\n`;
  const policies = [...new Set(changes.map(({ policy }) => policy))];
  const groups = changes.map((change) => {
    const lines = operationsOf(change).map((operation) => operationLine(operation, style));
    return `  ${style.dim(printable(originText(change)))}\n${lines.join('')}`;
  });
  return `${head}: changed by ${printable(policies.join(', '))}\n${groups.join('')}`;
}

function originText({ policy, binding, params, rule, mutation, pass }: Change): string {
  const parts = [
    ...(mutation === undefined ? [] : [`spec.mutations[${mutation}]`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(binding === undefined ? [] : [`binding ${binding}`]),
    ...(params === undefined ? [] : [`parameters ${params}`]),
    ...(pass === 2 ? ['run once more'] : []),
  ];
  return `${policy}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function operationLine({ op, path, value, old }: ChangedValue, style: Style): string {
  const dress = op === 'remove' ? style.red : style.green;
  const before = old === undefined ? '' : ` ${stringifyJson(old)}`;
  const after = value === undefined ? '' : ` ${stringifyJson(value)}`;
  const arrow = op === 'replace' && before !== '' ? ' ->' : '';
  return `    ${dress(printable(`${op} ${path}${before}${arrow}${after}`))}\n`;
}

/** What changed in all objects, for programs: one document. */
export function diffJsonText(mutated: readonly MutatedManifest[]): string {
  const results = mutated.map(({ manifest, changes }) => ({
    file: manifest.file,
    resource: `${manifest.kind}/${manifest.name}`,
    namespace: manifest.namespace === '' ? undefined : manifest.namespace,
    line: manifest.line,
    changes: changes.map((change) => {
      const { before: _before, after: _after, ...origin } = change;
      return { ...origin, patch: operationsOf(change) };
    }),
  }));
  return `${stringifyJson({ version, results }, { indent: 2 })}\n`;
}
