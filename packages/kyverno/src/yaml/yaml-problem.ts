import type { YamlProblem } from '@kubeadmit/go/internal';

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
