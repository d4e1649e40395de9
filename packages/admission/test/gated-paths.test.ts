import { formatGroupName } from '@kubeadmit/apimachinery';
import { knownVersions, listResources, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { type StructType, structNamed, structOf } from '@kubeadmit/schemas/types';
import { expect, test } from 'vitest';
import type { GatedFields } from '../src/disabled-fields/gated-fields.ts';
import { podSpecFields, podStatusFields } from '../src/disabled-fields/pod-fields.data.ts';
import {
  type ResourceFields,
  resourceFields,
} from '../src/disabled-fields/resource-fields.data.ts';

const versions = await Promise.all(knownVersions.map((version) => loadSchemas({ version })));

const ofPods: readonly GatedFields[] = [
  ...podSpecFields.map((gated) => ({
    ...gated,
    fields: gated.fields.map((path) => `spec.${path}`),
    usedBy: (gated.usedBy ?? []).map((path) => `spec.${path}`),
  })),
  ...podStatusFields,
];
const byResource: Readonly<Record<string, ResourceFields>> = {
  ...resourceFields,
  pods: { object: ofPods },
};
const paths = Object.entries(byResource).flatMap(([resource, { object = [], status = [] }]) =>
  [...object, ...status].flatMap(({ fields, usedBy = [] }) =>
    [...fields, ...usedBy].map((path) => [resource, path] as const),
  ),
);

test.each([...new Map(paths.map((each) => [each.join(' '), each])).values()])(
  '%s have a field %s in some version',
  (resource, path) => {
    expect(versions.some((schemas) => hasPath(schemas, resource, path))).toBe(true);
  },
);

function hasPath(schemas: Schemas, resource: string, path: string): boolean {
  const kinds = listResources(schemas).filter(
    ({ group, resource: name }) => formatGroupName({ group, name }) === resource,
  );
  return kinds.some((kind) => fieldAt(schemas, structOf(schemas, kind), path.split('.')));
}

/** Whether a struct has a field at a path, whose lists and maps are marked. */
function fieldAt(
  schemas: Schemas,
  struct: StructType | undefined,
  [part = '', ...rest]: readonly string[],
): boolean {
  const shape = struct?.byName.get(part.replace(/\[\]$|\{\}$/, ''))?.shape;
  if (shape === undefined) return false;
  if (rest.length === 0) return true;
  const mark = part.endsWith('[]') ? 'list' : part.endsWith('{}') ? 'map' : 'struct';
  const owner = mark === 'struct' ? shape : shape.element;
  if (shape.kind !== mark || owner?.struct === undefined) return false;
  return fieldAt(schemas, structNamed(schemas, owner.struct), rest);
}
