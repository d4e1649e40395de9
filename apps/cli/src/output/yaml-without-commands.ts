import { stringifyJson } from '@kubeadmit/go';
import { stringifyYaml } from '@kubeadmit/manifest';
import { hasCommands, jsonWithoutCommands } from './ci-commands.ts';

/**
 * A YAML document in which no CI system reads a command: the text itself, or the value as JSON, which is YAML, too.
 *
 * @param text the value as YAML
 */
export function yamlWithoutCommands(text: string, value: unknown): string {
  if (!hasCommands(text)) return text;
  return `${jsonWithoutCommands(stringifyJson(value, { indent: 2 }))}\n`;
}

/** The items of a list as they stand below its key. */
export function yamlItems(items: readonly unknown[]): string {
  const text = stringifyYaml({ items }).slice('items:\n'.length);
  if (!hasCommands(text)) return text;
  return items.map((item) => `  - ${jsonWithoutCommands(stringifyJson(item))}\n`).join('');
}

/** The members of an object, one below the other. */
export function yamlMembers(members: Readonly<Record<string, unknown>>): string {
  const text = stringifyYaml(members);
  if (!hasCommands(text)) return text;
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries
    .map(([key, value]) => `${key}: ${jsonWithoutCommands(stringifyJson(value))}\n`)
    .join('');
}
