/** What the YAML reader says is wrong, as far as it matters here. */
export interface YamlProblem {
  /** The library's message. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
}

/** What yaml.v2 says of the name of an anchor or alias that is none to it. */
export const badYamlName = 'did not find expected alphabetic or numeric character';

/** Whether yaml.v2 takes a text for the name of an anchor or alias, of which YAML allows more (its `is_alpha`). */
export function isYamlName(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

/** What it finds with the tree of a document, and not in a line of the text. */
const withoutLine =
  /^(?:unknown anchor '.*' referenced|anchor '.*' value contains itself|map merge requires .*|document contains excessive aliasing)$/s;

/** Beginnings of the YAML library's messages and the texts of Go's yaml.v2 in their place, which its scanner finds. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^Block scalar header includes extra/i, 'did not find expected comment or line break'],
  [/^(?:Alias cannot be an empty string|did not find expected alpha)/i, badYamlName],
  [/^(?:Nested mappings|Implicit keys)/i, 'mapping values are not allowed in this context'],
  [
    /^(?:Plain value cannot start|Block collections cannot start|Tabs are not)/i,
    'found character that cannot start any token',
  ],
  [/^Missing closing/i, 'found unexpected end of stream'],
  [/^Invalid escape sequence/i, 'found unknown escape character'],
];

/** Those that its parser finds, which counts lines from 0. */
const parserTexts: typeof texts = [
  [/^Unexpected (?:\S*scalar at node end|scalar token)/i, 'did not find expected key'],
  [/^Implicit map keys need to be followed/i, 'did not find expected key'],
  [/^Sequence item without - indicator/i, "did not find expected '-' indicator"],
];

/** What Go's yaml.v2 says of a problem; the library's own text where that is not known. */
export function goYamlText({ message, line }: YamlProblem, source: string): string {
  const alias = /^Unresolved alias.*: (.*)$/.exec(message);
  if (alias !== null) return `yaml: unknown anchor '${alias[1]}' referenced`;
  if (withoutLine.test(message)) return `yaml: ${message}`;
  const flow = /^Flow (map|sequence)/i.exec(message);
  if (flow !== null) {
    const expected = /[:,[{]\s*$/.test(source)
      ? 'node content'
      : flow[1] === 'map'
        ? "',' or '}'"
        : "',' or ']'";
    return located(line, `did not find expected ${expected}`);
  }
  const textOf = (list: typeof texts): string | undefined =>
    list.find(([beginning]) => beginning.test(message))?.[1];
  const parserText = textOf(parserTexts);
  if (parserText !== undefined) return located(line - 1, parserText);
  return located(line > 1 ? line : 0, textOf(texts) ?? message);
}

function located(line: number, text: string): string {
  return line > 0 ? `yaml: line ${line}: ${text}` : `yaml: ${text}`;
}
