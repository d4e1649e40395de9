import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { quote, readJson, readYaml } from '@kubeadmit/go';
import type { Warn } from '../plugin.ts';
import { warnIgnored } from '../warn-ignored.ts';

const field = 'podNodeSelectorPluginConfig';

/**
 * Reads the selectors of PodNodeSelector's configuration by namespace (kubernetes podnodeselector `readConfig`). The
 * configuration has no kind, and kube-apiserver ignores fields of another type.
 *
 * @throws Error for a text that is neither YAML nor JSON
 */
export function readNodeSelectors(
  configuration: string,
  warn: Warn,
): Readonly<Record<string, string>> {
  const isJson = configuration.trimStart().startsWith('{');
  const read = isJson ? readJson(configuration) : readYaml(configuration);
  if ('error' in read) throw new Error(read.error);
  const ignored: string[] = [];
  const selectors: Record<string, string> = {};
  for (const [key, value] of membersOf(read.value, ignored)) {
    // As JSON, only strings fit; in YAML, a number is read as its text.
    const isFitting = typeof value === 'string' || (!isJson && typeof value !== 'object');
    selectors[key] = isFitting ? String(value) : '';
    if (!isFitting && value !== null)
      ignored.push(`${field}[${quote(key)}], which is not a string`);
  }
  warnIgnored(ignored, warn);
  return selectors;
}

/** The members of the one field, whose name Go reads without regard to case. */
function membersOf(value: unknown, ignored: string[]): readonly (readonly [string, unknown])[] {
  if (value === null) return [];
  if (!isObject(value)) {
    ignored.push('a value that is not an object');
    return [];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (name.toLowerCase() === field.toLowerCase()) return entriesOf(member, ignored);
    if (name !== 'apiVersion' && name !== 'kind') ignored.push(`unknown field ${quote(name)}`);
    return [];
  });
}

function entriesOf(member: unknown, ignored: string[]): readonly (readonly [string, unknown])[] {
  if (isObject(member)) return Object.entries(member as JsonObject);
  if (member !== null) ignored.push(`${field}, which is not an object`);
  return [];
}
