import { isObject } from '@kubeadmit/apimachinery';
import { parse } from 'yaml';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import { holdsVariables, textTerm } from '../cel/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../unsupported.ts';

/**
 * What a JSON patch of Kyverno is as the expression of a mutation.
 *
 * @throws Unsupported for what is no list of operations.
 */
export function jsonPatchOf(source: unknown, variables: Variables): string {
  const operations: unknown = typeof source === 'string' ? parse(source) : source;
  if (!Array.isArray(operations)) throw new Unsupported('patchesJson6902 that is no list');
  const parts = operations.map((operation) => guarded(operation, variables));
  if (parts.every(({ isPlain }) => isPlain)) {
    return `[\n  ${parts.map(({ text }) => text).join(',\n  ')}\n]`;
  }
  return parts.map(({ text, isPlain }) => (isPlain ? `[${text}]` : `(${text})`)).join(' + ');
}

interface Part {
  readonly text: string;
  /** Whether it is one operation, and not a choice between lists of them. */
  readonly isPlain: boolean;
}

// Kyverno makes the list or map that is added to, and takes no offence at what is not there to be removed.
function guarded(operation: unknown, variables: Variables): Part {
  const text = operationOf(operation, variables);
  const { op, path, value } = operation as Readonly<Record<string, unknown>>;
  const parts = String(path).split('/').slice(1).map(unescaped);
  if (parts.some((part) => /^-\d+$/.test(part))) {
    throw new Unsupported('a path that counts from the end of a list');
  }
  if (String(path).includes('{{')) return { text, isPlain: true };
  if (op === 'remove') {
    const { presence } = placeOf(parts, variables);
    return presence.text === 'true'
      ? { text, isPlain: true }
      : { text: `${presence.text} ? [${text}] : []`, isPlain: false };
  }
  if (op !== 'add' || parts.length < 2) return { text, isPlain: true };
  const last = parts.at(-1) ?? '';
  const parent = placeOf(parts.slice(0, -1), variables);
  if (parent.isSure) return { text, isPlain: true };
  const above = placeOf(parts.slice(0, -2), variables);
  if (!above.isSure) {
    if (above.presence.text !== 'true') {
      throw new Unsupported(`an addition at \`${String(path)}\`, above which much may be absent`);
    }
  }
  const whole = last === '-' ? [value] : { [last]: value };
  const made = operationOf(
    { op, path: String(path).split('/').slice(0, -1).join('/'), value: whole },
    variables,
  );
  return { text: `${parent.presence.text} ? [${text}] : [${made}]`, isPlain: false };
}

function placeOf(parts: readonly string[], { object }: Variables): Path {
  return parts.reduce(
    (place, part) => (/^\d+$/.test(part) ? place.index(Number(part)) : place.select(part)),
    object,
  );
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function operationOf(operation: unknown, variables: Variables): string {
  if (!isObject(operation)) throw new Unsupported('an operation that is no map');
  const { op, path, from, value } = operation;
  if (typeof op !== 'string' || typeof path !== 'string') {
    throw new Unsupported('an operation without `op` or `path`');
  }
  const parts = [
    `op: ${literal(op).text}`,
    `path: ${textTerm(path, variables).text}`,
    ...(typeof from === 'string' ? [`from: ${textTerm(from, variables).text}`] : []),
    ...(value === undefined ? [] : [`value: ${valueOf(value, variables)}`]),
  ];
  return `JSONPatch{${parts.join(', ')}}`;
}

function valueOf(value: unknown, variables: Variables): string {
  if (typeof value === 'string') return textTerm(value, variables).text;
  if (holdsVariables(value)) throw new Unsupported('variables within a list or map of a patch');
  return literal(value).text;
}
