import { getOrMake, isPlainObject, memoize, setKey } from '@kubeadmit/base';
import { Double } from '@kubeadmit/cel';
import { withinStack } from '@kubeadmit/go/unstable-internal';
import { stringify } from 'yaml';

/**
 * Formats a JSON value as YAML, quoted so that readers of YAML 1.1 and 1.2 agree.
 *
 * The library writes scalars, each once while cached. Collections are written here, because the library takes
 * milliseconds for one object of a large report.
 *
 * @throws TypeError for values outside of JSON, such as a Map, and for values that are nested too deeply or contain
 * themselves.
 */
export function stringifyYaml(value: unknown): string {
  return withinStack(() => textOf(value));
}

function textOf(value: unknown): string {
  if (!isCollection(value)) return stringify(plain(value), options);
  try {
    const members = membersOf(value);
    if (members.length === 0) return `${emptyText(value)}\n`;
    return `${blockText(value, '')}\n`;
  } catch (error) {
    if (error instanceof UnusualKey) return stringify(plain(value), options);
    throw error;
  }
}

const options = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

/** A key whose text may depend on its position. */
class UnusualKey extends Error {}

type Collection = Readonly<Record<string, unknown>> | readonly unknown[];

function isCollection(value: unknown): value is Collection {
  if (Array.isArray(value) || isPlainObject(value)) return true;
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`cannot write a ${typeof value} as YAML`);
  }
  if (typeof value !== 'object' || value === null || value instanceof Double) return false;
  const { name } = value.constructor;
  throw new TypeError(
    `cannot write an object of the class ${name} as YAML; expected data as JSON.parse returns it`,
  );
}

/** Returns the members of a collection: values with their keys, if they have any. */
function membersOf(value: Collection): readonly (readonly [key: string | undefined, unknown])[] {
  if (Array.isArray(value)) return value.map((item) => [undefined, item]);
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

function emptyText(value: Collection): string {
  return Array.isArray(value) ? '[]' : '{}';
}

/** The lines of a collection that has members; the first begins where the caller is. */
function blockText(value: Collection, indent: string): string {
  const deeper = `${indent}  `;
  let text = '';
  for (const [key, item] of membersOf(value)) {
    if (text !== '') text += `\n${indent}`;
    text += key === undefined ? '-' : `${keyText(key)}:`;
    if (!isCollection(item)) text += ` ${scalarText(item, deeper)}`;
    else if (membersOf(item).length === 0) text += ` ${emptyText(item)}`;
    else if (key === undefined) text += ` ${blockText(item, deeper)}`;
    else text += `\n${deeper}${blockText(item, deeper)}`;
  }
  return text;
}

const mostRemembered = 10_000;
const scalars = new Map<unknown, string>();
const usualKey = /^[A-Za-z][\w./-]{0,100}$/;

const keyText = memoize(
  (key) => {
    if (!usualKey.test(key)) throw new UnusualKey();
    return stringify({ k: { [key]: 0 } }, options).slice('k:\n  '.length, -': 0\n'.length);
  },
  101,
  mostRemembered,
);

/** Formats a scalar; additional lines are indented. */
function scalarText(given: unknown, indent: string): string {
  const value = given instanceof Double ? given.value : given;
  if (scalars.size > mostRemembered) scalars.clear();
  const text = getOrMake(scalars, value, () =>
    stringify({ k: { k: value ?? null } }, options).slice('k:\n  k: '.length, -1),
  );
  return text.includes('\n') ? text.replaceAll('\n    ', `\n${indent}`) : text;
}

/** The value with doubles as numbers; keys are kept, whatever they are called. */
function plain(value: unknown): unknown {
  if (value instanceof Double) return value.value;
  if (!isCollection(value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setKey(copy, key, plain(item));
  }
  return copy;
}
