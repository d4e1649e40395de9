import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GroupVersionKind,
  type JsonObject,
  kindOfObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import { Double } from '@kubeadmit/cel';
import { compileCelPolicy, validateRequest } from '@kubeadmit/kyverno';
import { Random } from '@kubeadmit/random';
import { findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { generateCelPolicy, generateObjects } from './generate-cel-policies.ts';

const USAGE = `usage: KYVERNO=program differential-cel <rounds> [seed] [cases.ndjson]

Applies random policies in CEL to random objects with the Kyverno CLI and with ours, and prints what differs. With a file,
one answer to each policy on which both agree is written to it.`;

const POLICIES = 120;
const OBJECTS = 4;
/** The number of policies per round that do not compile. */
const BROKEN = 1;

interface Said {
  readonly result: string;
  readonly message: string;
}

const schemas = await loadSchemas();
const program = process.env['KYVERNO'];
const [rounds = '1', seed = '1', file] = process.argv.slice(2);
const recorded = new Map<object, string>();
if (program === undefined) throw new Error(USAGE);
const random = new Random(Number(seed));
let compared = 0;
const askedBroken = new Set<object>();
let different = 0;
for (let round = 0; round < Number(rounds); round++) {
  const policies = Array.from({ length: POLICIES }, (_, at) => generateCelPolicy(random, `p${at}`));
  const objects = generateObjects(random, OBJECTS);
  const isSound = (policy: object): boolean => problemsOf(policy as JsonObject).length === 0;
  const theirs = new Map(askKyverno(program, policies.filter(isSound), objects));
  // The CLI stops at a policy that does not compile, so each of these runs alone.
  for (const policy of policies.filter((one) => !isSound(one)).slice(0, BROKEN)) {
    for (const [key, said] of askKyverno(program, [policy], objects.slice(0, 1)))
      theirs.set(key, said);
    askedBroken.add(policy);
  }
  for (const policy of policies as JsonObject[]) {
    const isBroken = !isSound(policy);
    if (isBroken && !askedBroken.has(policy)) continue;
    for (const object of (isBroken ? objects.slice(0, 1) : objects) as JsonObject[]) {
      const key = `${nameOf(policy)} ${nameOf(object)}`;
      const [expected, actual] = [theirs.get(key), ours(policy, object)];
      if (isBroken && expected === undefined) continue;
      compared++;
      if (expected?.result === actual?.result && expected?.message === actual?.message) {
        const line = JSON.stringify({ policy, object, resource: pluralOf(object), said: expected });
        if (expected !== undefined && line.length < 3000) recorded.set(policy, line);
        continue;
      }
      different++;
      if (different > 25) continue;
      console.log(`policy ${JSON.stringify(policy['spec'])}\nobject ${JSON.stringify(object)}`);
      console.log(`kyverno ${JSON.stringify(expected)}\nours    ${JSON.stringify(actual)}\n`);
    }
  }
}
if (file !== undefined) writeFileSync(file, `${[...recorded.values()].join('\n')}\n`);
console.log(`${compared} compared, ${different} different`);
if (different > 0) process.exitCode = 1;

function nameOf(object: object): string {
  return metadataString(object as JsonObject, 'name');
}

function askKyverno(
  kyverno: string,
  policies: readonly object[],
  objects: readonly object[],
): ReadonlyMap<string, Said> {
  const folder = mkdtempSync(join(tmpdir(), 'cel-'));
  try {
    const write = (name: string, items: readonly object[]): string => {
      const path = join(folder, name);
      writeFileSync(path, items.map((item) => JSON.stringify(item)).join('\n---\n'));
      return path;
    };
    const args = ['apply', write('policies.yaml', policies), '-r', write('objects.yaml', objects)];
    const { line, problem } = run(kyverno, args);
    if (line === undefined) {
      // Where no policy is about an object, it says nothing.
      if (problem.trim() === '') return new Map();
      const name = /failed to compile policy (p\d+) /.exec(problem)?.[1];
      if (name === undefined) throw new Error(`the Kyverno CLI gave no report: ${problem}`);
      const others = policies.filter((policy) => nameOf(policy) !== name);
      const start = problem.indexOf('failed to compile policy');
      const message = problem.slice(start, problem.lastIndexOf(')'));
      const said = objects.map(
        (object) => [`${name} ${nameOf(object)}`, { result: 'error', message }] as const,
      );
      return new Map([
        ...said,
        ...(others.length === 0 ? [] : askKyverno(kyverno, others, objects)),
      ]);
    }
    const { results = [] } = JSON.parse(line) as {
      readonly results?: readonly (Said & {
        readonly policy: string;
        readonly resources: readonly { readonly name: string }[];
      })[];
    };
    return new Map(
      results.map(({ policy, resources, result, message = '' }) => [
        `${policy} ${resources[0]?.name}`,
        { result, message },
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(
  kyverno: string,
  args: readonly string[],
): { readonly line: string | undefined; readonly problem: string } {
  const all = [...args, '-p', '--output-format', 'json', '--continue-on-fail'];
  const { stdout, stderr } = spawnSync(kyverno, all, { encoding: 'utf8' });
  return {
    line: stdout.split('\n').find((each) => each.startsWith('{')),
    problem: `${stdout}${stderr}`,
  };
}

function problemsOf(source: JsonObject): readonly unknown[] {
  return compileCelPolicy(source, { clock: Date.now }).problems;
}

function kindOf(object: JsonObject): GroupVersionKind {
  return kindOfObject(object) ?? { group: '', version: '', kind: '' };
}

function pluralOf(object: JsonObject): string {
  const kind = kindOf(object);
  return findResourceOfKind(schemas, kind)?.resource ?? `${kind.kind.toLowerCase()}s`;
}

function ours(source: JsonObject, object: JsonObject): Said | undefined {
  const policy = compileCelPolicy(source, { clock: Date.now });
  const own = kindOf(object);
  const metadata = object['metadata'] as JsonObject;
  const responses = validateRequest(policy, {
    attributes: {
      kind: own,
      resource: { group: own.group, version: own.version, resource: pluralOf(object) },
      subresource: '',
      name: String(metadata['name']),
      namespace: String(metadata['namespace'] ?? ''),
      operation: 'CREATE',
      user: {},
      object: withDoubles(object) as never,
      oldObject: null,
      dryRun: false,
      options: null,
    },
    sources: {},
  });
  const said = responses.flat()[0];
  return said && { result: said.status, message: said.message };
}

/** A value as the CLI holds it, all of whose numbers are doubles. */
function withDoubles(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? new Double(value) : value;
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]));
}
