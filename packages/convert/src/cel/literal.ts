import { isObject } from '@kubeadmit/apimachinery';
import { member, type Term } from './term.ts';

/** A JSON value as a CEL literal. */
export function literal(value: unknown): Term {
  return member(formatLiteral(value));
}

function formatLiteral(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${alike(value).join(', ')}]`;
  if (isObject(value)) {
    const texts = alike(Object.values(value));
    const entries = Object.keys(value).map((key, at) => `${quoted(key)}: ${texts[at]}`);
    return `{${entries.join(', ')}}`;
  }
  return String(value);
}

// Elements of several types have no type in common, unless each is declared to be of any.
function alike(values: readonly unknown[]): readonly string[] {
  const isMixed = new Set(values.map(formatCelType)).size > 1;
  return values.map((value) => (isMixed ? `dyn(${formatLiteral(value)})` : formatLiteral(value)));
}

function formatCelType(value: unknown): string {
  if (Array.isArray(value)) return `list(${[...new Set(value.map(formatCelType))].join()})`;
  if (isObject(value))
    return `map(${[...new Set(Object.values(value).map(formatCelType))].join()})`;
  return typeof value === 'number' && !Number.isInteger(value) ? 'double' : typeof value;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text in single quotes. */
export function quoted(text: string): string {
  const escaped = text.replace(/[\\'\u0000-\u001f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return escapes[character] ?? `\\u${code}`;
  });
  return `'${escaped}'`;
}
