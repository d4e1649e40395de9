import { getOrMake } from '@kubeadmit/base';
import { servedGroups } from '../discovery/served-groups.ts';
import type { Machinery } from '../machinery/machinery.ts';
import type { OpenApiSchema } from './component-schemas.ts';
import { openApiDocument } from './documents.ts';

/** An OpenAPI 2 document with the definitions of all kinds that are served. */
export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, never>>;
  readonly definitions: Readonly<Record<string, OpenApiSchema>>;
}

const documents = new WeakMap<object, SwaggerDocument>();

/** The OpenAPI 2 document, which older clients validate with. */
export function swaggerDocument(machinery: Machinery): SwaggerDocument {
  const { schemas } = machinery.cluster;
  return getOrMake(documents, schemas, () => {
    const definitions: Record<string, OpenApiSchema> = {};
    for (const { name, versions } of servedGroups(schemas)) {
      for (const { version } of versions) {
        const document = openApiDocument(machinery, name, version);
        for (const [key, schema] of Object.entries(document?.components.schemas ?? {})) {
          const own = isOpen(schema) ? openSchema(schema) : toSwagger(schema);
          definitions[key] = { ...definitions[key], ...own };
        }
      }
    }
    return {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: `v${machinery.options.kubernetesVersion}` },
      paths: {},
      definitions,
    };
  });
}

// Whether a definition keeps whatever its objects hold; clients of OpenAPI 2 would refuse that.
function isOpen(schema: OpenApiSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function openSchema(schema: OpenApiSchema): OpenApiSchema {
  const kinds = schema[kindsKey];
  return { type: 'object', ...(kinds === undefined ? {} : { [kindsKey]: kinds }) };
}

const kindsKey = 'x-kubernetes-group-version-kind';

// References of one part stand alone, and values of two types are strings, as OpenAPI 2 cannot say more.
function toSwagger(schema: OpenApiSchema): OpenApiSchema {
  const { allOf, oneOf, ...rest } = schema;
  const parts = Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as OpenApiSchema) : {};
  const either = Array.isArray(oneOf) ? { type: 'string' } : {};
  const all = { ...rest, ...either, ...parts };
  return Object.fromEntries(Object.entries(all).map(([key, own]) => [key, wordOf(key, own)]));
}

// Converts the value of a schema keyword; names of properties are not keywords.
function wordOf(key: string, own: unknown): unknown {
  if (key === '$ref') return String(own).replace('#/components/schemas/', '#/definitions/');
  if (typeof own !== 'object' || own === null) return own;
  if (key === 'properties') {
    const properties = Object.entries(own as Record<string, OpenApiSchema>);
    return Object.fromEntries(properties.map(([name, schema]) => [name, toSwagger(schema)]));
  }
  const isSchema = key === 'items' || key === 'additionalProperties' || key === 'not';
  return isSchema && !Array.isArray(own) ? toSwagger(own as OpenApiSchema) : own;
}
