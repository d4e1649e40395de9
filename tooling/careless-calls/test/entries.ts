import { readdirSync, readFileSync } from 'node:fs';
import { isClass } from './junk.ts';

/** Something of a public entry that can be called. */
export interface Export {
  /** The entry and the name, as in `@kubeadmit/go quote`. */
  readonly title: string;
  /** The name that its errors have to tell. */
  readonly name: string;
  readonly callee: unknown;
  readonly parameters: number;
}

// Entries that are internal, are not modules, or require another test runner.
const elsewhere = /\/(?:internal|package\.json|schema\.json|vitest|jest)$/;

/** All functions and classes of all public entries of `packages/`, and the static methods of the classes. */
export async function publicExports(): Promise<readonly Export[]> {
  const packages = new URL('../../../packages/', import.meta.url);
  const found: Export[] = [];
  for (const folder of readdirSync(packages)) {
    const text = readFileSync(new URL(`${folder}/package.json`, packages), 'utf8');
    const { name, exports } = JSON.parse(text) as { name: string; exports: object };
    const entries = Object.keys(exports).filter((entry) => !elsewhere.test(entry));
    for (const entry of entries.map((path) => name + path.slice(1))) {
      const module = (await import(entry)) as Readonly<Record<string, unknown>>;
      for (const [member, value] of Object.entries(module))
        found.push(...callable(entry, member, value));
    }
  }
  return found;
}

function callable(entry: string, name: string, value: unknown): readonly Export[] {
  if (typeof value !== 'function') return [];
  const itself = { title: `${entry} ${name}`, name, callee: value, parameters: value.length };
  if (!isClass(value)) return [itself];
  const statics = Object.getOwnPropertyNames(value)
    .map((member) => ({ member, method: Reflect.get(value, member) as unknown }))
    .filter(({ method }) => typeof method === 'function')
    .map(({ member, method }) => ({
      title: `${entry} ${name}.${member}`,
      name: member,
      callee: (method as () => unknown).bind(value),
      parameters: (method as () => unknown).length,
    }));
  // Errors are caught, and made by kubeadmit alone.
  return value.prototype instanceof Error ? statics : [itself, ...statics];
}
