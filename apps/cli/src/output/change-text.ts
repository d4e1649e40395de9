import type { Change, ChangedValue } from '@kubeadmit/check/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { printable, type Style } from './style.ts';

/** Which mutation made a change. */
export function originText({
  policy,
  plugin,
  causes = [],
  binding,
  params,
  rule,
  mutation,
  pass,
}: Omit<Change, 'before' | 'after'>): string {
  const parts = [
    ...causes,
    ...(mutation === undefined ? [] : [`spec.mutations[${mutation}]`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(binding === undefined ? [] : [`binding ${binding}`]),
    ...(params === undefined ? [] : [`parameters ${params}`]),
    ...(pass === 2 ? ['reinvoked'] : []),
  ];
  const origin = plugin === undefined ? policy : `plugin ${plugin}`;
  return `${origin}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

/** One operation of a change in a line: `replace /spec/replicas 1 -> 3`. */
export function operationText({ op, path, value, old }: ChangedValue, style: Style): string {
  const dress = op === 'remove' ? style.red : style.green;
  const before = old === undefined ? '' : ` ${stringifyJson(old)}`;
  const after = value === undefined ? '' : ` ${stringifyJson(value)}`;
  const arrow = op === 'replace' && before !== '' ? ' ->' : '';
  return dress(printable(`${op} ${path}${before}${arrow}${after}`));
}
