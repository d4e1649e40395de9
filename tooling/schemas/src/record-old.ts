/**
 * Records what older servers make of manifests into conformance/decode/versions.ndjson. OLD is a folder with the outputs
 * of old-servers/build, named decode-1.30 and so on.
 *
 *   OLD=… pnpm --filter @kubeadmit/schemas-tooling record-old
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Random } from '@kubeadmit/random';
import { findResourceOfKind, knownVersions, loadSchemas } from '@kubeadmit/schemas';
import { decodeAll, listKinds } from '@kubeadmit/schemas/internal';
import { makeObject, type Recipe, recipes } from './objects.ts';
import type { DecodeAnswer, DecodeCase } from './oracle.ts';

const folder = process.env['OLD'] ?? '.';
const target = fileURLToPath(
  new URL('../../../conformance/decode/versions.ndjson', import.meta.url),
);
const byHand = JSON.parse(
  readFileSync(
    new URL('../../../packages/schemas/test/cases/versions.json', import.meta.url),
    'utf8',
  ),
) as readonly { readonly name: string; readonly object: unknown }[];
const kept = new Set([
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'internal.apiserver.k8s.io',
]);
const maxLength = 6_000;
const today = new Date().toISOString().slice(0, 10);

async function casesOf(version: string): Promise<DecodeCase[]> {
  const schemas = await loadSchemas({ version });
  const random = new Random(Number(version.slice(2)));
  const kinds = listKinds(schemas).filter(
    (kind) => !kept.has(kind.group) && findResourceOfKind(schemas, kind)?.verbs.includes('create'),
  );
  const made = kinds.map((kind): DecodeCase => {
    const recipe: Recipe = {
      ...(recipes['typical'] as Recipe),
      mistakes: random.pick([0, 0, 0.02]),
    };
    const id = [version, kind.group, kind.version, kind.kind]
      .filter((part) => part !== '')
      .join('/');
    return {
      id,
      kubernetesVersion: version,
      resources: [makeObject(schemas, kind, recipe, random)],
    };
  });
  const written = byHand.map(({ name, object }): DecodeCase => {
    return { id: `${version}/${name}`, kubernetesVersion: version, resources: [object] };
  });
  // The machine interface looks at the heads of all manifests first; old servers are asked for each object alone.
  return [...written, ...made].filter(
    ({ resources }) => decodeAll(schemas, resources).failure === undefined,
  );
}

const lines: string[] = [];
for (const version of knownVersions) {
  const program = `${folder}/decode-${version}`;
  if (!existsSync(program)) continue;
  const cases = await casesOf(version);
  const input = cases.map((each) => JSON.stringify(each)).join('\n');
  const { stdout } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  for (const [index, line] of stdout.trim().split('\n').entries()) {
    const { id: _, ...answer } = JSON.parse(line) as DecodeAnswer;
    const text = JSON.stringify({ ...cases[index], ...answer });
    if (text.length < maxLength && !text.includes(`"timeAdded":"${today}`)) lines.push(text);
  }
}
writeFileSync(target, `${lines.join('\n')}\n`);
console.log(`${lines.length} cases`);
