/**
 * Compares declared types with the oracle: for paths of every kind, the type that the checker names.
 *
 *   ORACLE=… pnpm --filter @kubeadmit/schemas-tooling declared [SEED]
 */

import { spawnSync } from 'node:child_process';
import { formatGroupVersion } from '@kubeadmit/apimachinery';
import { formatCelType } from '@kubeadmit/cel/internal';
import { Random } from '@kubeadmit/random';
import {
  listResources,
  loadSchemas,
  type Resource,
  type Schemas,
  withDefinitions,
} from '@kubeadmit/schemas';
import { declaredStructs } from '@kubeadmit/schemas/cel';
import { type DeclaredType, declaredType } from '@kubeadmit/schemas/internal';
import { makeCustom } from './definitions.ts';

const random = new Random(Number(process.argv[2] ?? 1));
const builtin = await loadSchemas();

interface Probe {
  readonly id: string;
  readonly resources: readonly unknown[];
  readonly expected: readonly string[];
}

/** A random path through a declared type, and sometimes a field that is not there. */
function walk(type: DeclaredType): readonly string[] {
  const steps: string[] = [];
  let at: DeclaredType | undefined = type;
  while (at && steps.length < 9) {
    if (at.kind === 'object') {
      const names: string[] = [...(at.fields?.keys() ?? [])];
      const name: string =
        random.chance(0.05) || names.length === 0 ? 'nothing' : random.pick(names);
      steps.push(`.${name}`);
      at = at.fields?.get(name)?.type;
    } else if (at.kind === 'list' || at.kind === 'map') {
      if (random.chance(0.15)) break;
      steps.push(at.kind === 'list' ? '[0]' : "['k']");
      at = at.element;
    } else break;
  }
  return steps;
}

/** What the checker says of `object… == type(1)`: the type in it, or the field that is missing. */
function expectation(schemas: Schemas, row: Resource, steps: readonly string[]): string {
  const declared = declaredType(schemas, row);
  if (!declared) return '';
  const structs = declaredStructs(declared, row.kind);
  let type = structs.type;
  for (const step of steps) {
    if (!step.startsWith('.')) type = type.parameters[type.kind === 'list' ? 0 : 1] ?? type;
    else {
      const next = structs.fieldType(type.name, step.slice(1));
      if (!next) return `undefined field '${step.slice(1)}'`;
      type = next;
    }
  }
  return type.kind === 'dyn' ? '' : `'(${formatCelType(type)}, type(int))'`;
}

function probe(schemas: Schemas, row: Resource, extra: readonly unknown[], index: number): Probe {
  const type = declaredType(schemas, row);
  const paths = Array.from({ length: 12 }, () => (type ? walk(type) : []));
  const rule = {
    apiGroups: [row.group],
    apiVersions: [row.version],
    operations: ['*'],
    resources: [row.resource],
  };
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: paths.map((path) => ({ expression: `object${path.join('')} == type(1)` })),
    },
  };
  return {
    id: `${formatGroupVersion(row)}/${row.kind}-${index}`,
    resources: [...extra, policy],
    expected: paths.map((path) => expectation(schemas, row, path)),
  };
}

const probes: Probe[] = [];
for (let index = 0; index < 6; index++) {
  for (const row of listResources(builtin)) {
    if (row.verbs.includes('create')) probes.push(probe(builtin, row, [], index));
  }
}
for (let index = 0; index < 400; index++) {
  const [definition] = makeCustom(random);
  const schemas = withDefinitions(builtin, [definition]);
  const row = listResources(schemas).find(({ group }) => group === 'example.com');
  if (row) probes.push(probe(schemas, row, [definition], index));
}

const { stdout, stderr } = spawnSync(process.env['ORACLE'] ?? 'oracle', ['lint'], {
  input: probes.map(({ id, resources }) => JSON.stringify({ id, resources })).join('\n'),
  maxBuffer: 2 ** 30,
  encoding: 'utf8',
});
if (!stdout) throw new Error(stderr);
let same = 0;
let different = 0;
for (const [index, line] of stdout.trim().split('\n').entries()) {
  const answer = JSON.parse(line);
  const warnings = new Map<string, string>(
    (answer.typeChecking?.[0]?.expressionWarnings ?? []).map(
      (each: { fieldRef: string; warning: string }) => [each.fieldRef, each.warning],
    ),
  );
  const { id, expected, resources } = probes[index] as Probe;
  for (const [at, want] of expected.entries()) {
    const said = (warnings.get(`spec.validations[${at}].expression`) ?? '').replaceAll(
      /([A-Za-z])[0-9]{6,}/g,
      '$1',
    );
    const isEqual = want === '' ? said === '' : said.includes(want);
    if (isEqual) same++;
    else if (different++ < 10) {
      const policy = resources.at(-1) as { spec: { validations: { expression: string }[] } };
      console.log(
        `${id} ${policy.spec.validations[at]?.expression}\n  ours   ${want}\n  theirs ${said}`,
      );
    }
  }
}
console.log(`${same} equal, ${different} different`);
