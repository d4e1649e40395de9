/**
 * Compares decoding with the oracle for every field of every struct that a creatable kind holds, each with values that
 * fit, are empty, or do not fit:
 *
 *   ORACLE=… pnpm --filter @kubeadmit/schemas-tooling sweep
 */

import { formatGroupVersion, type GroupVersionKind } from '@kubeadmit/apimachinery';
import { type JsonObject, programOf } from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { findResourceOfKind, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { listKinds, type Shape, structNamed, structOf } from '@kubeadmit/schemas/types';
import { counting, decodeCommand } from './oracle.ts';

const texts: readonly unknown[] = ['', 'x', '2024-01-01T00:00:00Z', '1.5Gi', 'YQ==', '50%'];
const scalars: readonly unknown[] = [null, 0, 5, -1, 1.5, 99999999999, true, ...texts];
const lists: readonly unknown[] = [[], [null], ['a'], [1], [{}]];
const objects: readonly unknown[] = [{}, { a: null }, { a: 'b' }, { a: 1 }, { a: {} }];
const values: readonly unknown[] = [...scalars, ...lists, ...objects];

/** A way into an object: names of fields, and marks of lists and maps. */
type Path = readonly string[];

const inList = '[]';
const inMap = '{}';

const schemas: Schemas = await loadSchemas();
const seen = new Set<string>();
const options = { program: programOf('ORACLE'), ...counting };
const comparison = await machineComparison(decodeCommand, options);
process.exitCode = await comparison.run(cases(), { limit: 20, isShrinking: false });
console.log(`fields of ${seen.size} structs`);

function* cases(): Generator<JsonObject> {
  for (const kind of listKinds(schemas)) yield* casesOf(kind);
}

function* casesOf(kind: GroupVersionKind): Generator<JsonObject> {
  const root = structOf(schemas, kind);
  const isKept = kind.group === 'apiextensions.k8s.io' || kind.group === 'apiregistration.k8s.io';
  if (!root || isKept || !findResourceOfKind(schemas, kind)?.verbs.includes('create')) return;
  const queue: (readonly [name: string, at: Path])[] = [[root.name, []]];
  for (const [name, at] of queue) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const field of structNamed(schemas, name)?.fields ?? []) {
      if (at.length === 0 && (field.name === 'apiVersion' || field.name === 'kind')) continue;
      const path = [...at, field.name];
      for (const value of values) {
        const apiVersion = formatGroupVersion(kind);
        const object = { apiVersion, kind: kind.kind, ...(wrap(path, value) as object) };
        yield { id: `${name}.${field.name}`, resources: [object as JsonObject] };
      }
      queue.push(...structsIn(field.shape, path));
    }
  }
}

function structsIn(shape: Shape, path: Path): (readonly [string, Path])[] {
  if (shape.struct !== undefined) return [[shape.struct, path]];
  const mark = shape.kind === 'list' ? inList : inMap;
  return shape.element ? structsIn(shape.element, [...path, mark]) : [];
}

function wrap(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => {
    if (step === inList) return [inner];
    return step === inMap ? { k: inner } : { [step]: inner };
  }, value);
}
