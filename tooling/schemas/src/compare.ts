/**
 * Compares decoding with the oracle: every kind with its three objects, then random ones.
 *
 *   ORACLE=… pnpm --filter @kubeadmit/schemas-tooling compare [COUNT] [SEED] [VERSION]
 *
 * With a version, ORACLE is the output of old-servers/build for it, which knows no definitions.
 */

import {
  Comparison,
  type JsonObject,
  parseJson,
  printJson,
  programOf,
} from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { Random } from '@kubeadmit/random';
import { decode, findResourceOfKind, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { listKinds } from '@kubeadmit/schemas/types';
import { makeCustom } from './definitions.ts';
import { decodeCase, recipes } from './objects.ts';
import { counting, type DecodeCase, decodeCommand } from './oracle.ts';

const count = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
const version = process.argv[4];

const schemas: Schemas = await loadSchemas(version ? { version } : {});
const options = { program: programOf('ORACLE'), ...counting };
const comparison = version
  ? new Comparison({ ...decodeCommand, oracle: [] }, { ...options, ours: decodeEach })
  : await machineComparison(decodeCommand, options);
process.exitCode = await comparison.run(cases() as Iterable<unknown> as Iterable<JsonObject>, {
  limit: 20,
  isShrinking: false,
});

function* cases(): Generator<DecodeCase> {
  const random = new Random(seed);
  const everything = listKinds(schemas);
  const kinds = everything.filter((kind) => !/List$/.test(kind.kind));
  const creatable = kinds.filter((kind) =>
    findResourceOfKind(schemas, kind)?.verbs.includes('create'),
  );
  for (const kind of everything) {
    for (const [name, recipe] of Object.entries(recipes))
      yield decodeCase(schemas, { kind, name, recipe, random });
  }
  for (let index = 0; !version && index < count / 4; index++) {
    yield { id: `custom-${index}`, resources: makeCustom(random) };
  }
  for (let index = 0; index < count; index++) {
    const kind = random.pick(random.pick([creatable, creatable, kinds, everything]));
    const density = random.pick([0.1, 0.25, 0.4, 0.6]);
    const mistakes = random.pick([0, 0, 0, 0.005, 0.02, 0.1, 0.3]);
    const recipe = { density, mistakes, depth: 8 };
    yield decodeCase(schemas, { kind, name: String(index), recipe, random });
  }
}

/**
 * Decodes each object separately, since old servers report the errors of each; the oracle first checks all of them.
 */
function decodeEach({ resources }: JsonObject): JsonObject {
  const given = resources as readonly JsonObject[];
  const now = new Date().toISOString();
  const decoded = given.map((resource) => decode(schemas, resource, { now }));
  const errors = decoded.flatMap(({ error }, index) =>
    error === undefined ? [] : [{ resource: given[index]?.['kind'], message: error }],
  );
  const objects = decoded.map(({ object }) => object ?? null);
  const answer = errors.length > 0 ? { objects, errors } : { objects };
  return parseJson(printJson(answer as unknown as JsonObject)) as JsonObject;
}
