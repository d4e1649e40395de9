import { Double } from '@kubeadmit/cel';
import { setKey } from '@kubeadmit/go/internal';
import { stringify } from 'yaml';

/** YAML text of a JSON value, quoted so that readers of YAML 1.1 and 1.2 see the same. */
export function stringifyYaml(value: unknown): string {
  return stringify(plain(value), { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

/** The value with doubles as numbers; keys are kept, whatever they are called. */
function plain(value: unknown): unknown {
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setKey(copy, key, plain(item));
  }
  return copy;
}
