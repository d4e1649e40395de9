import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import {
  schemaFindings,
  storeCustomResource,
  validateDefinition,
  validateWithDefinition,
} from '../src/index.ts';

// Whatever is held wrong here would find nothing wrong.

const schemas = await loadSchemas({ groupVersions: [] });
const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const later = loadSchemas({ groupVersions: [] });
const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };

test.each<[string, () => unknown, string]>([
  [
    'no case',
    () => validateWithDefinition(undefined as never, schemas),
    'validateWithDefinition takes options as an object, not undefined',
  ],
  [
    'a member with a slip',
    () => validateWithDefinition({ definition, objct: {} } as never, schemas),
    'validateWithDefinition has no option `objct` (did you mean `object`?)',
  ],
  [
    'no definition',
    () => validateWithDefinition({} as never, schemas),
    'validateWithDefinition: `definition` is undefined',
  ],
  [
    'no schemas',
    () => validateWithDefinition({ definition }, undefined as never),
    'validateWithDefinition takes schemas (`await loadSchemas()` gives them), not undefined',
  ],
  [
    'promised schemas',
    () => validateWithDefinition({ definition }, later as never),
    'validateWithDefinition takes schemas (`await loadSchemas()` gives them), not a Promise (await it)',
  ],
  [
    'a text for a definition',
    () => validateDefinition('kind: CustomResourceDefinition' as never, { schemas, minor: 37 }),
    'validateDefinition takes a CustomResourceDefinition, not the string "kind: CustomResourceDefinition"',
  ],
  [
    'bare schemas',
    () => validateDefinition(definition, schemas as never),
    'validateDefinition has no option `version` (there are schemas, minor)',
  ],
  [
    'a version for a minor one',
    () => validateDefinition(definition, { schemas, minor: '1.37' } as never),
    'validateDefinition: `minor` is the string "1.37", no number',
  ],
  [
    'a minor version that there is not',
    () => validateDefinition(definition, { schemas, minor: 3 }),
    'validateDefinition: `minor` is the number 3, none of 30 to 37',
  ],
  [
    'no minor version',
    () => validateDefinition(definition, { schemas } as never),
    'validateDefinition: `minor` is undefined, none of 30 to 37',
  ],
  [
    'no resource',
    () => storeCustomResource(undefined as never, schemas),
    'storeCustomResource takes a custom resource with its `kind`, not undefined',
  ],
  [
    'the name of a kind',
    () => storeCustomResource({ kind: 'Widget', object: {} } as never, schemas),
    'storeCustomResource: `kind` takes { group, version, kind }, not the string "Widget"',
  ],
  [
    'a resource without schemas',
    () => storeCustomResource({ kind, object: {} }, undefined as never),
    'storeCustomResource takes schemas (`await loadSchemas()` gives them), not undefined',
  ],
  [
    'a schema as it is written',
    () => schemaFindings({ type: 'integer' } as never, 'spec', 'x'),
    'schemaFindings takes a structural schema that was read, as of a definition',
  ],
  [
    'no schema',
    () => schemaFindings(undefined as never, 'spec', 'x'),
    'schemaFindings takes a structural schema, not undefined',
  ],
])('%s is a TypeError', (_name, call, message) => {
  expect(call).toThrow(new TypeError(message));
});
