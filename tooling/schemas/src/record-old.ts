/**
 * Records how older servers decode manifests into conformance/decode/versions.ndjson. OLD is a folder with the outputs
 * of old-servers/build, named decode-1.30 and so on.
 *   OLD=… pnpm --filter @kubeadmit/schemas-tooling record-old
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type JsonObject, joinLine, printJson } from '@kubeadmit/conformance-tools';
import { Random } from '@kubeadmit/random';
import { findResourceOfKind, knownVersions, loadSchemas } from '@kubeadmit/schemas';
import { listKinds } from '@kubeadmit/schemas/types';
import { decodeAll } from '@kubeadmit/schemas/unstable-internal';
import { decodeCase, recipes } from './objects.ts';
import { askOracle, type DecodeCase, timeOfRequest } from './oracle.ts';

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

async function casesOf(version: string): Promise<DecodeCase[]> {
  const schemas = await loadSchemas({ version });
  const random = new Random(Number(version.slice(2)));
  const kinds = listKinds(schemas).filter(
    (kind) => !kept.has(kind.group) && findResourceOfKind(schemas, kind)?.verbs.includes('create'),
  );
  const made = kinds.map((kind): DecodeCase => {
    const recipe = { ...recipes.typical, mistakes: random.pick([0, 0, 0.02]) };
    const { id, resources } = decodeCase(schemas, { kind, name: '', recipe, random });
    return { id: `${version}/${id}`, kubernetesVersion: version, resources };
  });
  const written = byHand.map(({ name, object }): DecodeCase => {
    return { id: `${version}/${name}`, kubernetesVersion: version, resources: [object] };
  });
  // The machine interface checks the heads of all manifests first, whereas old servers receive one object at a
  // time.
  return [...written, ...made].filter(
    ({ resources }) => decodeAll(schemas, resources).failure === undefined,
  );
}

const lines: string[] = [];
for (const version of knownVersions) {
  const program = `${folder}/decode-${version}`;
  if (!existsSync(program)) continue;
  const cases = await casesOf(version);
  for (const [index, answer] of (await askOracle(cases, program, [])).entries()) {
    const text = printJson(joinLine(cases[index] as unknown as JsonObject, answer));
    if (text.length < maxLength && !timeOfRequest().test(text)) lines.push(text);
  }
}
writeFileSync(target, `${lines.join('\n')}\n`);
console.log(`${lines.length} cases`);
