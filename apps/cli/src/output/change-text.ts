import type { Change, ChangedValue } from '@kubeadmit/chain/findings';
import { stringifyJson } from '@kubeadmit/go';
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
export function operationText(operation: ChangedValue, style: Style): string {
  return formatOperation(operation, style, Number.POSITIVE_INFINITY);
}

/** The length from which a value is cut: longer than the limits of a container. */
const mostOfValue = 160;

/** One operation of a change in a line, with the beginning of long values. */
export function shortOperationText(operation: ChangedValue, style: Style): string {
  return formatOperation(operation, style, mostOfValue);
}

function formatOperation(
  { op, path, value, old }: ChangedValue,
  style: Style,
  most: number,
): string {
  const text = (json: unknown): string => {
    const whole = stringifyJson(json);
    return whole.length > most ? `${whole.slice(0, most)}…` : whole;
  };
  const dress = op === 'remove' ? style.red : style.green;
  const before = old === undefined ? '' : ` ${text(old)}`;
  const after = value === undefined ? '' : ` ${text(value)}`;
  const arrow = op === 'replace' && before !== '' ? ' ->' : '';
  return dress(printable(`${op} ${path}${before}${arrow}${after}`));
}
