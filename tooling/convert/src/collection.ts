import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { policyJson } from '@kubeadmit/chain/kyverno';
import { type Conversion, convertPolicy, isConvertible } from '@kubeadmit/convert';
import { isRecord, readDocuments, Source } from '@kubeadmit/manifest';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';

/** A policy of a collection, and its conversion. */
export interface Converted {
  readonly file: string;
  readonly policy: JsonObject;
  readonly conversion: Conversion;
}

/** The files of a folder with a name that ends so, those of hidden folders only on request. */
export function filesBelow(folder: string, ending: RegExp, withHidden = false): readonly string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => withHidden || !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, ending, withHidden);
      return ending.test(entry.name) ? [path] : [];
    });
}

/** Returns the objects of a file; empty for files that are not YAML. */
export function objectsOf(file: string): readonly JsonObject[] {
  const { documents } = readDocuments(new Source(file, readFileSync(file, 'utf8')));
  return documents.flatMap(({ value }) => (isRecord(value) ? [policyJson(value)] : []));
}

/** Converts every policy of Kyverno below a folder. */
export async function convertCollection(
  folder: string,
  schemas?: Schemas,
): Promise<readonly Converted[]> {
  const known = schemas ?? (await loadSchemas());
  return filesBelow(folder, /\.ya?ml$/).flatMap((file) =>
    objectsOf(file)
      .filter(isConvertible)
      .map((policy) => ({ file, policy, conversion: convertPolicy(policy, { schemas: known }) })),
  );
}

/** The rules of a policy, by their names. */
export function rulesOf({ spec }: JsonObject): readonly JsonObject[] {
  const rules = isObject(spec) ? spec['rules'] : undefined;
  return Array.isArray(rules) ? rules.filter(isObject) : [];
}

/** A value as JSON whose members are in order, so that equal values have equal texts. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return Number(inner);
    return isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner;
  });
}

/** For `JSON.stringify`: large integers are written with the precision of a double. */
export function plainNumbers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
