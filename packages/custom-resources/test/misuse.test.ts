import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { validateDefinition, validateWithDefinition } from '../src/definitions.ts';
import { schemaFindings, storeCustomResource } from '../src/index.ts';

// Without these errors, wrong arguments would look like valid objects.

const schemas = await loadSchemas({ groupVersions: [] });
const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const later = loadSchemas({ groupVersions: [] });
const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };

test.each<[string, () => unknown, string]>([
  [
    'no case',
    () => validateWithDefinition(undefined as never, schemas),
    'validateWithDefinition: expected options as an object, got undefined',
  ],
  [
    'a member with a slip',
    () => validateWithDefinition({ definition, objct: {} } as never, schemas),
    'validateWithDefinition: unknown option `objct` (did you mean `object`?)',
  ],
  [
    'no definition',
    () => validateWithDefinition({} as never, schemas),
    'validateWithDefinition: `definition` is undefined',
  ],
  [
    'no schemas',
    () => validateWithDefinition({ definition }, undefined as never),
    'validateWithDefinition: expected schemas from `await loadSchemas()`, got undefined',
  ],
  [
    'promised schemas',
    () => validateWithDefinition({ definition }, later as never),
    'validateWithDefinition: expected schemas from `await loadSchemas()`, got a Promise (await it)',
  ],
  [
    'a text for a definition',
    () => validateDefinition('kind: CustomResourceDefinition' as never, { schemas, minor: 37 }),
    'validateDefinition: expected a CustomResourceDefinition, got the string "kind: CustomResourceDefinition"',
  ],
  [
    'bare schemas',
    () => validateDefinition(definition, schemas as never),
    'validateDefinition: unknown option `version` (expected one of schemas, minor)',
  ],
  [
    'a version for a minor one',
    () => validateDefinition(definition, { schemas, minor: '1.37' } as never),
    'validateDefinition: `minor` must be a number, got the string "1.37"',
  ],
  [
    'a minor version that there is not',
    () => validateDefinition(definition, { schemas, minor: 3 }),
    'validateDefinition: `minor` must be one of 30 to 37, got the number 3',
  ],
  [
    'no minor version',
    () => validateDefinition(definition, { schemas } as never),
    'validateDefinition: `minor` must be one of 30 to 37, got undefined',
  ],
  [
    'no resource',
    () => storeCustomResource(undefined as never, schemas),
    'storeCustomResource: expected a custom resource with its `kind`, got undefined',
  ],
  [
    'the name of a kind',
    () => storeCustomResource({ kind: 'Widget', object: {} } as never, schemas),
    'storeCustomResource: `kind`: expected { group, version, kind }, got the string "Widget"',
  ],
  [
    'a resource without schemas',
    () => storeCustomResource({ kind, object: {} }, undefined as never),
    'storeCustomResource: expected schemas from `await loadSchemas()`, got undefined',
  ],
  [
    'a schema as it is written',
    () => schemaFindings({ type: 'integer' } as never, 'spec', 'x'),
    'schemaFindings: expected a structural schema, such as that of a definition',
  ],
  [
    'no schema',
    () => schemaFindings(undefined as never, 'spec', 'x'),
    'schemaFindings: expected a structural schema, got undefined',
  ],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(new TypeError(message));
});
