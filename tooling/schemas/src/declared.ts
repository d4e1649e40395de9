/**
 * Compares declared types with the oracle: for paths of every kind, the type that the checker names.
 *
 *   ORACLE=… pnpm --filter @kubeadmit/schemas-tooling declared [SEED]
 */

import { formatGroupVersion } from '@kubeadmit/apimachinery';
import {
  commandOf,
  comparable,
  type JsonObject,
  parseJson,
  printJson,
  programOf,
} from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { Random } from '@kubeadmit/random';
import { listResources, loadSchemas, type Resource, withDefinitions } from '@kubeadmit/schemas';
import { type DeclaredType, declaredType } from '@kubeadmit/schemas/cel';
import { makeCustom } from './definitions.ts';

const random = new Random(Number(process.argv[2] ?? 1));
const builtin = await loadSchemas();
const lint = commandOf('lint');
const comparison = await machineComparison(lint, {
  program: programOf('ORACLE'),
  // The types of objects have random numbers there: `list(Service993705858.status.conditions.@idx)`.
  comparable: (answer) =>
    parseJson(
      printJson(comparable(lint, answer)).replaceAll(/(?<=[a-z])\d{6,}/gi, ''),
    ) as JsonObject,
});
process.exitCode = await comparison.run(cases(), { limit: 10, isShrinking: true });

function* cases(): Generator<JsonObject> {
  for (let index = 0; index < 6; index++) {
    for (const row of listResources(builtin)) {
      // The oracle has no types of the aggregator, as a server has.
      if (row.group === 'apiregistration.k8s.io') continue;
      const type = declaredType(builtin, row);
      if (type && row.verbs.includes('create')) yield probe(row, type, [], index);
    }
  }
  for (let index = 0; index < 400; index++) {
    const [definition] = makeCustom(random);
    const schemas = withDefinitions(builtin, [definition]);
    const row = listResources(schemas).find(({ group }) => group === 'example.com');
    const type = row && declaredType(schemas, row);
    if (type) yield probe(row, type, [definition], index);
  }
}

/** Returns a policy in which each expression returns the type of a path; the error then names the type. */
function probe(
  row: Resource,
  type: DeclaredType,
  definitions: readonly unknown[],
  index: number,
): JsonObject {
  const { group, version, resource } = row;
  const rule = { apiGroups: [group], apiVersions: [version], operations: ['*'] };
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [{ ...rule, resources: [resource] }] },
      validations: random.list(12, 12, () => ({
        expression: `object${walk(type)} == type(1)`,
      })),
    },
  };
  const id = `${formatGroupVersion(row)}/${row.kind}-${index}`;
  return { id, resources: [...definitions, policy] as JsonObject[] };
}

/** A random path through a declared type, and sometimes a field that is not there. */
function walk(type: DeclaredType): string {
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
  return steps.join('');
}
