import type { Value } from '@kubeadmit/cel';
import { findYamlProblem } from '@kubeadmit/go/internal';
import { type Document, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import { composeYaml, TooDeep } from './compose-yaml.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { type Problem, problemIn } from './yaml-problem.ts';
import { buildValue } from './yaml-value.ts';

/** One YAML document as kubectl would send it, or the error. */
export interface YamlDocument {
  /** `undefined` when there are problems, apart from keys that may be there twice. */
  readonly value: Value | undefined;
  readonly problems: readonly Problem[];
  /** Where its content begins. */
  readonly start: number;
  /** Where the elements of the list `items` begin, when there is one. */
  readonly itemStarts: readonly number[];
}

/** How YAML is read. */
interface YamlOptions {
  /** Whether a key may be there twice, of which the last counts; it is a problem all the same. */
  readonly allowsDuplicates?: boolean | undefined;
}

/** The first line that is neither empty nor a comment. */
const content = /^ *[^ #\n]/m;

/**
 * Parses YAML as kubectl does (sigs.k8s.io/yaml over goyaml.v2): YAML 1.1 words and numbers, merge keys in the
 * order of the text, a limit for the expansion of aliases. A repeated key is reported, and its last value is used.
 */
export function parseYaml(
  text: string,
  { allowsDuplicates = false }: YamlOptions = {},
): YamlDocument[] {
  if (!content.test(text)) return [];
  const plain = readPlainYaml(text);
  if (plain !== undefined) return [{ ...plain, problems: [], itemStarts: [] }];
  try {
    const documents = composeYaml(text).map((each) => toYamlDocument(each, allowsDuplicates));
    return isReadable(documents) ? withRefusal(documents, text) : documents;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const offset = error instanceof TooDeep ? error.offset : 0;
    const problems = [{ message: 'nested too deeply', offset }];
    return [{ value: undefined, problems, start: 0, itemStarts: [] }];
  }
}

function isReadable(documents: readonly YamlDocument[]): boolean {
  return documents.every(({ value }) => value !== undefined);
}

/** Documents as they were read, but where goyaml refuses the first one, which is all that it reads. */
function withRefusal(documents: YamlDocument[], text: string): YamlDocument[] {
  const refusal = findYamlProblem(text);
  if (refusal === undefined) return documents;
  const { problem: message, offset } = refusal;
  const [{ start } = { start: offset }] = documents;
  return [{ value: undefined, problems: [{ message, offset }], start, itemStarts: [] }];
}

function toYamlDocument(document: Document.Parsed, allowsDuplicates: boolean): YamlDocument {
  const root = document.contents;
  const start = root?.range?.[0] ?? document.range?.[0] ?? 0;
  const problem = problemIn(document);
  if (problem !== undefined)
    return { value: undefined, problems: [problem], start, itemStarts: [] };
  const { value: built, problems } = buildValue(root);
  const isReadable = problems.every(({ isDuplicate }) => allowsDuplicates && isDuplicate === true);
  const value = isReadable ? built : undefined;
  return { value, problems, start, itemStarts: itemStartsOf(root, start) };
}

function itemStartsOf(root: Node | null, start: number): readonly number[] {
  if (!isMap(root)) return [];
  const items = root.items.find(({ key }) => isScalar(key) && key.value === 'items')?.value;
  if (!isSeq(items)) return [];
  return items.items.map((item) => (isNode(item) ? item.range?.[0] : undefined) ?? start);
}
