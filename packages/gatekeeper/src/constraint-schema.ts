import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { schemaFindings } from '@kubeadmit/custom-resources';
import { validateWithDefinition } from '@kubeadmit/custom-resources/definitions';
import type { Schemas } from '@kubeadmit/schemas';
import { prune, readStructural, SchemaProblem } from '@kubeadmit/schemas/definitions';
import type { Template } from './template.ts';

const text: JsonObject = { type: 'string' };
const texts: JsonObject = { type: 'array', items: text };
const glob: JsonObject = { type: 'string', pattern: '^\\*?[-:a-z0-9]*\\*?$' };
const globs: JsonObject = { type: 'array', items: glob };

const selector: JsonObject = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    matchLabels: { type: 'object', additionalProperties: text },
    matchExpressions: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: text,
          operator: text,
          values: { ...texts, 'x-kubernetes-list-type': 'atomic' },
        },
      },
    },
  },
};

/** The `match` of constraints (gatekeeper, `pkg/target/matchcrd_constant.go`). */
const match: JsonObject = {
  type: 'object',
  properties: {
    excludedNamespaces: globs,
    kinds: {
      type: 'array',
      items: { type: 'object', properties: { apiGroups: texts, kinds: texts } },
    },
    labelSelector: selector,
    name: glob,
    namespaceSelector: selector,
    namespaces: globs,
    scope: text,
    source: { type: 'string', enum: ['All', 'Generated', 'Original'] },
  },
};

/** Violations of a constraint, found by the definition that Gatekeeper generates from its template. */
export interface ConstraintFindings {
  /** With the definition itself. */
  readonly definition: readonly string[];
  /** By the schema. */
  readonly schema: readonly string[];
  /** The paths of fields that the schema does not name. */
  readonly unknown: readonly string[];
}

/** Holds a constraint against the definition of its kind (frameworks, `pkg/client/crds`). */
export function constraintFindings(
  constraint: JsonObject,
  template: Template,
  schemas: Schemas,
): ConstraintFindings {
  const schema = constraintSchema(template);
  const structural = readStructural(schema);
  if (structural instanceof SchemaProblem) {
    return { definition: [structural.message], schema: [], unknown: [] };
  }
  const definition = definitionOf(template.kind, schema);
  const answer = validateWithDefinition({ definition }, schemas);
  const wrong = [...answer.definition, ...(answer.failure === undefined ? [] : [answer.failure])];
  const unknown = prune(structuredClone(constraint), structural);
  // Unlike a server, keep nulls.
  return { definition: wrong, schema: schemaFindings(structural, '', constraint), unknown };
}

function constraintSchema({ parameters, legacySchema }: Template): JsonObject {
  const declared = legacySchema ? openSchema(parameters ?? {}) : parameters;
  const point: JsonObject = { type: 'object', properties: { name: text } };
  return {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 63 } } },
      spec: {
        type: 'object',
        properties: {
          match,
          enforcementAction: { type: 'string', default: 'deny' },
          scopedEnforcementActions: {
            type: 'array',
            items: {
              type: 'object',
              properties: { action: text, enforcementPoints: { type: 'array', items: point } },
            },
          },
          ...(declared === undefined ? {} : { parameters: declared }),
        },
      },
      status: preserved,
    },
  };
}

const preserved: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** A schema whose objects may have any fields (frameworks, `schema.AddPreserveUnknownFields`). */
function openSchema(schema: JsonObject): JsonObject {
  const { type = '', properties, items, additionalProperties: others } = schema;
  const open = type === '' || type === 'object';
  return {
    ...schema,
    ...(open ? preserved : {}),
    ...(isObject(properties) ? { properties: opened(properties) } : {}),
    ...(isObject(items) ? { items: openSchema(items) } : {}),
    ...(type === 'array' && items === undefined ? { items: preserved } : {}),
    ...(isObject(others) ? { additionalProperties: openSchema(others) } : {}),
  };
}

function opened(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, each]) => [name, openSchema(objectOf(each))]));
}

function definitionOf(kind: string, openAPIV3Schema: JsonObject): JsonObject {
  const plural = kind.toLowerCase();
  const version = { served: true, schema: { openAPIV3Schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.constraints.gatekeeper.sh` },
    spec: {
      group: 'constraints.gatekeeper.sh',
      names: { kind, listKind: `${kind}List`, plural, singular: plural },
      scope: 'Cluster',
      versions: [
        { name: 'v1beta1', storage: true, ...version },
        { name: 'v1alpha1', storage: false, ...version },
      ],
    },
  };
}
