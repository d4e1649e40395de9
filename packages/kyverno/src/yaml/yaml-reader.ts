import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatFloat64 } from '@kubeadmit/go';
import {
  badYamlName,
  decodeUtf8Leniently,
  deepestYaml,
  goYamlText,
  isYamlName,
  setKey,
  tooDeepYaml,
} from '@kubeadmit/go/internal';
import {
  type Document,
  isAlias,
  isCollection,
  Parser,
  parseAllDocuments,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml';
import { goKeyText, isBehindFlow } from './yaml-problem.ts';

/** A YAML value that was read, or the text of what is wrong with it. */
export type YamlReading = { readonly value: unknown } | { readonly error: string };

/** Types of YAML 1.1 that Go's yaml.v2 reads as strings. */
const unread = new Set(['intTime', 'floatTime', 'timestamp']);

/** Octal integers of YAML 1.2, which yaml.v2 reads as well. */
const newOctal: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  format: 'OCT',
  test: /^[-+]?0[oO][0-7_]+$/,
  resolve: (text) => {
    const size = Number(text.replace(/^[-+]/, '').replaceAll('_', '').toLowerCase());
    return text.startsWith('-') ? -size : size;
  },
};

/**
 * Reads the first document of a YAML 1.1 text as the JSON value that Go's YAML to JSON conversion makes of it.
 *
 * `y`, `yes`, `on` and so on are booleans, `010` is 8, the last of equal keys wins and keys become strings.
 */
export function readYaml(text: string): YamlReading {
  if (isTooDeep(text))
    return { error: goYamlText({ message: 'nested too deeply', line: 1 }, text) };
  const documents = parseAllDocuments(text, {
    version: '1.1',
    schema: 'yaml-1.1',
    uniqueKeys: false,
    merge: true,
    customTags: (tags: Tags) => [
      newOctal,
      ...tags.filter((tag) => typeof tag === 'string' || !unread.has(nameOf(tag as ScalarTag))),
    ],
  });
  const first = Array.isArray(documents) ? documents[0] : undefined;
  if (first === undefined) return { value: null };
  const problem = first.errors[0];
  if (problem !== undefined) {
    const [message = ''] = problem.message.split(/ at line \d+, column|\n/);
    const described = { message, line: problem.linePos?.[0]?.line ?? 1 };
    const isFlow = isCollection(first.contents) && first.contents.flow === true;
    if (!isFlow || !isBehindFlow(described)) return { error: goYamlText(described, text) };
  }
  if (!isEnded(text)) cutLastBlock(first, text);
  const line = lineOfBadName(first, text);
  if (line !== undefined) return { error: goYamlText({ message: badYamlName, line }, text) };
  try {
    return { value: toJson(first.toJS({ mapAsMap: true, maxAliasCount: 100 })) };
  } catch (error) {
    if (error instanceof KeyError) return { error: error.message };
    const message = error instanceof Error ? error.message : String(error);
    return { error: goYamlText({ message, line: 1 }, text) };
  }
}

/** Whether collections lie so deep within each other that composing them would be dangerous; most texts are short. */
function isTooDeep(text: string): boolean {
  if (text.length <= deepestYaml) return false;
  for (const token of new Parser().parse(text)) if (tooDeepYaml(token) !== undefined) return true;
  return false;
}

/** The line of the first anchor or alias whose name yaml.v2 does not read. */
function lineOfBadName(document: Document.Parsed, text: string): number | undefined {
  let start: number | undefined;
  visit(document, {
    Node(_key, node) {
      const name = isAlias(node) ? node.source : node.anchor;
      if (name === undefined || isYamlName(name)) return undefined;
      start = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return start === undefined ? undefined : text.slice(0, start).split('\n').length;
}

/** Whether the last line of a text ends, or says nothing. */
function isEnded(text: string): boolean {
  return text.slice(text.lastIndexOf('\n') + 1).trim() === '';
}

/** A block scalar that is cut off by the end of the text does not end with a line break (libyaml). */
function cutLastBlock(document: Document.Parsed, text: string): void {
  visit(document, {
    Scalar(_key, node) {
      if (node.type?.startsWith('BLOCK') !== true || (node.range?.[1] ?? 0) < text.length) return;
      node.value = String(node.value).replace(/\n$/, '');
    },
  });
}

/** A value that JSON cannot hold. Never leaves this file. */
class KeyError extends Error {}

function nameOf(tag: ScalarTag): string {
  if (tag.tag.endsWith(':timestamp')) return 'timestamp';
  if (tag.format !== 'TIME') return '';
  return tag.tag.endsWith(':int') ? 'intTime' : 'floatTime';
}

function toJson(value: unknown): unknown {
  if (value instanceof Map) {
    const object: JsonObject = {};
    for (const [key, item] of value) setKey(object, keyText(key), toJson(item));
    return object;
  }
  if (value instanceof Set) return toJson(new Map([...value].map((item) => [item, null])));
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new KeyError(`json: unsupported value: ${formatFloat64(value)}`);
  }
  if (value instanceof Uint8Array) return decodeUtf8Leniently(value);
  if (isObject(value)) return toJson(new Map(Object.entries(value)));
  return value === undefined ? null : value;
}

function keyText(key: unknown): string {
  if (typeof key === 'object' && key !== null)
    throw new KeyError(`yaml: invalid map key: ${goKeyText(key)}`);
  if (typeof key === 'number') return Number.isInteger(key) ? String(key) : formatFloat64(key);
  return String(key);
}
