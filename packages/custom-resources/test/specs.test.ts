import { readFileSync } from 'node:fs';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { validateWithDefinition } from '../src/definitions.ts';

/** The schema of `spec` in a definition, an object's `spec`, and kube-apiserver's errors for both. */
interface SpecCase {
  readonly name: string;
  readonly spec: object;
  readonly object?: object;
  readonly oldObject?: object;
  readonly kubernetesVersion?: string;
  readonly definitionErrors: readonly string[];
  readonly objectErrors: readonly string[];
}

const file = new URL('cases/specs.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly SpecCase[];
const schemas = await loadSchemas();

test.each(cases)('$name', ({ spec, object, oldObject, kubernetesVersion, ...expected }) => {
  const answer = validateWithDefinition(
    {
      definition: definitionOf(spec),
      object: object && widgetOf(object),
      oldObject: oldObject && widgetOf(oldObject),
      kubernetesVersion,
    },
    schemas,
  );
  expect(answer).toEqual({
    definition: expected.definitionErrors,
    object: expected.objectErrors,
  });
});

function definitionOf(spec: object): object {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function widgetOf(spec: object): object {
  const metadata = { name: 'a', namespace: 'b', resourceVersion: '1' };
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
}
