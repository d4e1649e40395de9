/** What the YAML reader says is wrong, as far as it matters here. */
export interface YamlProblem {
  readonly message: string;
  readonly line: number;
}

/** Beginnings of the YAML library's messages and the texts of Go's yaml.v2 in their place. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^Block scalar header includes extra/, 'did not find expected comment or line break'],
  [/^Alias cannot be an empty string/, 'did not find expected alphabetic or numeric character'],
  [/^(?:Nested mappings|Implicit keys)/, 'mapping values are not allowed in this context'],
  [/^(?:Plain value cannot start|Tabs are not)/, 'found character that cannot start any token'],
  [/^Missing closing/, 'found unexpected end of stream'],
  [/^Unexpected scalar at node end/, 'did not find expected key'],
  [/^Invalid escape sequence/, 'found unknown escape character'],
  [/^Sequence item without - indicator/, "did not find expected '-' indicator"],
];

/** What Go's yaml.v2 says of a problem; the library's own text where that is not known. */
export function goYamlText({ message, line }: YamlProblem, source: string): string {
  const alias = /^Unresolved alias.*: (.*)$/.exec(message);
  if (alias !== null) return `yaml: unknown anchor '${alias[1]}' referenced`;
  const flow = /^Flow (map|sequence)/.exec(message);
  if (flow !== null) {
    const expected = /[:,[{]\s*$/.test(source)
      ? 'node content'
      : flow[1] === 'map'
        ? "',' or '}'"
        : "',' or ']'";
    return `yaml: line ${line}: did not find expected ${expected}`;
  }
  const text = texts.find(([beginning]) => beginning.test(message))?.[1] ?? message;
  return line > 1 ? `yaml: line ${line}: ${text}` : `yaml: ${text}`;
}

/** Whether a problem is only what stands behind a flow collection, which yaml.v2 does not look at. */
export function isBehindFlow({ message }: YamlProblem): boolean {
  return /^Unexpected (?:scalar at node end|flow-)/.test(message);
}

/** A key that is no scalar as Go's `%#v` writes it. */
export function goKeyText(key: unknown): string {
  if (key instanceof Map) {
    const members = Array.from(
      key,
      ([name, value]) => `${goKeyText(name)}:${goInterfaceText(value)}`,
    );
    return `map[interface {}]interface {}{${members.join(', ')}}`;
  }
  if (Array.isArray(key)) return `[]interface {}{${key.map(goInterfaceText).join(', ')}}`;
  return typeof key === 'string' ? JSON.stringify(key) : String(key);
}

function goInterfaceText(value: unknown): string {
  return value === null || value === undefined ? 'interface {}(nil)' : goKeyText(value);
}
