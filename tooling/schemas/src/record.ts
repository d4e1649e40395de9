/**
 * Records decoding cases with the oracle's answers in conformance/decode.
 *
 * Files that this script does not generate are written by hand; it updates the answers to their cases.
 *
 *   ORACLE=… pnpm --filter @kubeadmit/schemas-tooling record
 */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { type JsonObject, joinLine, printJson } from '@kubeadmit/conformance-tools';
import { Random } from '@kubeadmit/random';
import { findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { listKinds } from '@kubeadmit/schemas/types';
import { readLines } from '@kubeadmit/test-support';
import { makeCustom } from './definitions.ts';
import { decodeCase, type Recipe, recipes } from './objects.ts';
import { askOracle, canonical, type DecodeCase, timeOfRequest } from './oracle.ts';

const target = fileURLToPath(new URL('../../../conformance/decode/', import.meta.url));
const random = new Random(20_261_121);
const schemas = await loadSchemas();
const kinds = listKinds(schemas);
const creatable = kinds.filter((kind) =>
  findResourceOfKind(schemas, kind)?.verbs.includes('create'),
);
const kept = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
const maxLength = 16_000;

function one(name: string, kind: GroupVersionKind, recipe: Recipe): DecodeCase {
  return decodeCase(schemas, { kind, name, recipe, random });
}

/** The largest object of a kind that is not too long to keep. */
function full(kind: GroupVersionKind): DecodeCase {
  for (let depth = 7; ; depth--) {
    const made = one('full', kind, { density: 1, mistakes: 0, depth });
    if (JSON.stringify(made).length < maxLength / 2 || depth === 2) return made;
  }
}

function builtins(): DecodeCase[] {
  return kinds
    .filter(({ group, kind }) => !kept.has(group) && !kind.endsWith('List'))
    .flatMap((kind) => [
      one('minimal', kind, recipes.minimal),
      one('typical', kind, recipes.typical),
      full(kind),
    ]);
}

function lists(): DecodeCase[] {
  return kinds
    .filter(({ kind }) => kind.endsWith('List'))
    .map((kind) => one('list', kind, { density: 0.3, mistakes: 0, depth: 4 }));
}

function randomOnes(count: number): DecodeCase[] {
  return Array.from({ length: count }, (_, index) =>
    one(`random-${index}`, random.pick(creatable), {
      density: random.pick([0.1, 0.2, 0.3]),
      mistakes: random.pick([0, 0.01, 0.05, 0.15]),
      depth: 8,
    }),
  );
}

function customs(count: number): DecodeCase[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `custom/random-${index}`,
    resources: makeCustom(random),
  }));
}

function read(name: string): DecodeCase[] {
  return readLines<DecodeCase>(join(target, name)).map(({ id, resources }) => ({ id, resources }));
}

/** Writes the cases that are not there yet with their answers, but for those that hold the time of the request. */
async function write(name: string, cases: readonly DecodeCase[], limit = maxLength): Promise<void> {
  const answers = await askOracle(cases);
  const seen = new Set<string>();
  const lines = cases.flatMap((each, index) => {
    const line = printJson(joinLine(each as unknown as JsonObject, answers[index] ?? {}));
    const key = canonical(each.resources);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew && line.length < limit && !timeOfRequest().test(line) ? [line] : [];
  });
  writeFileSync(join(target, `${name}.ndjson`), `${lines.join('\n')}\n`);
  console.log(`${name}: ${lines.length} cases`);
}

const made: Readonly<Record<string, () => DecodeCase[]>> = {
  kinds: builtins,
  lists,
  random: () => randomOnes(900),
  custom: () => customs(250),
};

mkdirSync(target, { recursive: true });
for (const [name, cases] of Object.entries(made)) {
  await write(name, cases(), name === 'kinds' ? 3 * maxLength : maxLength);
}
for (const file of readdirSync(target)) {
  const name = file.replace(/\.ndjson$/, '');
  const isOurs = !Object.hasOwn(made, name) && name !== 'versions';
  if (name !== file && isOurs) await write(name, read(file));
}
