/**
 * Compares names, fields and decoding with a running kube-apiserver of the same minor version:
 *
 *   pnpm --filter @kubeadmit/schemas-tooling server https://127.0.0.1:6443 TOKEN 1.33 [COUNT] [SEED]
 *
 * The server is best started with `--runtime-config=api/all=true`. Nothing is stored in it.
 */

import { KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { Random } from '@kubeadmit/random';
import { findResourceOfKind, isNamespaced, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { listKinds } from '@kubeadmit/schemas/types';
import { readLines } from '@kubeadmit/test-support';
import { makeObject } from '../objects.ts';
import { compareFields } from './fields.ts';
import { compareNames, servedGroupVersions } from './names.ts';
import { compareObject, type FieldValidation } from './objects.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const [address = '', token = '', version = '', count = '1000', seed = '1'] = process.argv.slice(2);
const schemas: Schemas = await loadSchemas({ version });
const server = new KubeClient(address, token);
const served = new Set(await servedGroupVersions(server));
const random = new Random(Number(seed));

report('names', await compareNames(server, schemas));
const fields = await compareFields(server, schemas);
console.log(`${fields.same} types with the same fields`);
report('types', fields.differences);

const file = new URL('typical-objects.ndjson', import.meta.url);
const typical = readLines<string>(file, String);
await compareAll(
  'typical objects',
  typical.map((line) => JSON.parse(line) as JsonObject),
);
await compareAll('random objects', randomObjects());

function* randomObjects(): Generator<JsonObject> {
  const kinds = listKinds(schemas).filter((kind) => {
    const isServed = served.has([kind.group, kind.version].filter(Boolean).join('/'));
    return isServed && findResourceOfKind(schemas, kind)?.verbs.includes('create');
  });
  for (let index = 0; index < Number(count); index++) {
    const kind = random.pick(kinds);
    const density = random.pick([0.1, 0.25, 0.4]);
    const mistakes = random.pick([0.005, 0.02, 0.1]);
    const object = makeObject(schemas, kind, { density, mistakes, depth: 8 }, random);
    yield inDefaultNamespace(object, isNamespaced(schemas, kind) ?? false);
  }
}

/** The server looks at the namespace before all else that is in the object. */
function inDefaultNamespace(object: JsonObject, isNeeded: boolean): JsonObject {
  const { metadata } = object;
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  if (!isObject) return object;
  const { namespace: _, ...rest } = metadata as JsonObject;
  return { ...object, metadata: isNeeded ? { ...rest, namespace: 'default' } : rest };
}

async function compareAll(name: string, objects: Iterable<JsonObject>): Promise<void> {
  const differences: string[] = [];
  const codes = new Map<number, number>();
  for (const object of objects) {
    if (!served.has(String(object['apiVersion']))) continue;
    const mode = random.pick<FieldValidation>(['Warn', 'Strict']);
    const { code, difference } = await compareObject(server, schemas, object, mode);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (difference !== undefined)
      differences.push(`${object['apiVersion']} ${object['kind']} ${mode} ${difference}`);
  }
  const counts = [...codes].map(([code, times]) => `${times} of ${code}`).join(', ');
  console.log(`${name}, answers: ${counts}`);
  report(name, differences);
}

function report(name: string, differences: readonly string[]): void {
  for (const text of differences.slice(0, 20)) console.log(text);
  console.log(`${name}: ${differences.length} differences`);
  if (differences.length > 0) process.exitCode = 1;
}
