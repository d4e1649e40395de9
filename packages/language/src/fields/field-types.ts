import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { StructProvider, Type } from '@kubeadmit/cel';
import { dynType, listOf, mapOf, stringType, structType } from '@kubeadmit/cel/types';
import type { Schemas } from '@kubeadmit/schemas';
import { declareSchema, scalarType } from '@kubeadmit/schemas/cel';
import { findDefinition, type StructuralSchema } from '@kubeadmit/schemas/definitions';
import { structNamed, structOf } from '@kubeadmit/schemas/types';
import { escapeMarkdown } from '../text/markdown.ts';
import type { FieldInfo, Fields } from './field-info.ts';
import type { JsonSchemaTypes } from './json-schema-types.ts';
import { escapedName, structFields } from './struct-fields.ts';

type KyvernoTypes = typeof import('./table-types.ts');

/** Types that neither the server nor definitions have. */
export interface MoreTypes {
  /** Those of suites of tests, where they are known and loaded. */
  readonly suites: () => JsonSchemaTypes | undefined;
  /** Those of Kyverno, once they are loaded. */
  readonly kyverno: () => KyvernoTypes | undefined;
}

/**
 * The object types of built-in kinds and of definitions, by names such as `core.v1.PodSpec` and
 * `example.com/v1.Widget.spec`.
 *
 * Unlike the types that kube-apiserver's checker declares, they include fields with quantities, as strings, and may
 * contain themselves.
 */
export class FieldTypes implements StructProvider {
  readonly #schemas: Schemas;
  readonly #known: Map<string, Fields> = new Map();
  readonly #custom: Map<string, StructuralSchema> = new Map();

  readonly #more: MoreTypes;

  constructor(schemas: Schemas, more: MoreTypes) {
    this.#schemas = schemas;
    this.#more = more;
  }

  /** The type of suites of tests, `*.admit.yaml`, where their schema is known. */
  get suite(): Type | undefined {
    return this.#more.suites()?.root;
  }

  /** The type of the objects of a kind. */
  rootOf(kind: GroupVersionKind): Type | undefined {
    const builtin = structOf(this.#schemas, kind);
    if (builtin !== undefined) return structType(builtin.name);
    const version = findDefinition(this.#schemas, kind)?.version;
    if (version === undefined) return this.#more.kyverno()?.tableRoot(kind.group, kind.kind);
    const name = `${kind.group}/${kind.version}.${kind.kind}`;
    if (!this.#known.has(name)) this.#known.set(name, this.#customRoot(name, version.schema));
    return structType(name);
  }

  /**
   * The type of the values that a rule of a definition calls `self`: `path` leads to them by names of fields, `[]` for
   * elements and values. Of the metadata of objects rules see names alone.
   */
  selfAt(kind: GroupVersionKind, path: readonly string[]): Type | undefined {
    const root = this.rootOf(kind);
    if (root === undefined || path.length === 0) return root && this.#ruleRoot(root);
    let type: Type | undefined = root;
    for (const step of path) {
      type =
        step === '[]' ? type?.parameters.at(-1) : type && this.fieldsOf(type.name)?.get(step)?.type;
    }
    return type;
  }

  #ruleRoot({ name }: Type): Type {
    const own = `self:${name}`;
    if (!this.#known.has(own)) {
      const metadata = [...(this.fieldsOf('meta.v1.ObjectMeta') ?? [])];
      const names = metadata.filter(([field]) => field === 'name' || field === 'generateName');
      this.#known.set('self:ObjectMeta', new Map(names));
      const fields = [...(this.fieldsOf(name) ?? [])].map(([field, info]): [string, FieldInfo] => [
        field,
        field === 'metadata' ? { ...info, type: structType('self:ObjectMeta') } : info,
      ]);
      this.#known.set(own, new Map(fields));
    }
    return structType(own);
  }

  has(name: string): boolean {
    return this.fieldsOf(name) !== undefined;
  }

  fieldType(name: string, field: string): Type | undefined {
    const fields = [...(this.fieldsOf(name)?.values() ?? [])];
    return fields.find((info) => info.escaped === field || info.name === field)?.type;
  }

  /** The fields of an object type. */
  fieldsOf(name: string): Fields | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const schema = this.#custom.get(name);
    const made =
      schema === undefined
        ? (this.#builtin(name) ??
          this.#more.kyverno()?.tableFields(name) ??
          this.#more.suites()?.fieldsOf(name))
        : this.#customFields(name, schema);
    if (made !== undefined) this.#known.set(name, made);
    return made;
  }

  #builtin(name: string): Fields | undefined {
    const struct = structNamed(this.#schemas, name);
    return struct && structFields(struct);
  }

  #customRoot(name: string, schema: StructuralSchema | undefined): Fields {
    const fields = schema === undefined ? [] : this.#customFields(name, schema);
    const text = (field: string): FieldInfo => ({
      name: field,
      escaped: field,
      type: stringType,
      about: 'text',
      owner: name,
    });
    const metadata: FieldInfo = {
      ...text('metadata'),
      type: structType('meta.v1.ObjectMeta'),
      about: 'ObjectMeta',
    };
    const head: readonly (readonly [string, FieldInfo])[] = [
      ['apiVersion', text('apiVersion')],
      ['kind', text('kind')],
      ['metadata', metadata],
    ];
    // They come first, whatever the schema contains.
    return new Map([...head, ...fields, ...head]);
  }

  #customFields(name: string, schema: StructuralSchema): Fields {
    return new Map(
      [...schema.properties].map(([field, property]) => {
        const { description, enum: values } = property.source as {
          description?: unknown;
          enum?: unknown;
        };
        const info: FieldInfo = {
          name: field,
          escaped: escapedName(field),
          type: this.#customType(`${name}.${field}`, property),
          about: schemaText(property),
          owner: name,
          ...(typeof description === 'string' ? { description: escapeMarkdown(description) } : {}),
          ...(Array.isArray(values)
            ? { values: values.filter((value) => typeof value === 'string') }
            : {}),
        };
        return [field, info];
      }),
    );
  }

  #customType(path: string, schema: StructuralSchema): Type {
    if (schema.intOrString) return dynType;
    switch (schema.type) {
      case 'array':
        return listOf(schema.items ? this.#customType(`${path}.@idx`, schema.items) : dynType);
      case 'object': {
        const values = schema.additionalProperties;
        if (typeof values === 'object') {
          return mapOf(stringType, this.#customType(`${path}.@elem`, values));
        }
        if (schema.embeddedResource && schema.properties.size === 0) return dynType;
        if (schema.properties.size === 0 && (schema.preserveUnknownFields || values === true)) {
          return mapOf(stringType, dynType);
        }
        this.#custom.set(path, schema);
        return structType(path);
      }
      default: {
        const declared = declareSchema(schema);
        return declared === undefined ? dynType : scalarType(declared);
      }
    }
  }
}

const schemaNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['boolean', 'truth value'],
  ['integer', 'integer'],
  ['number', 'number'],
]);

function schemaText(schema: StructuralSchema): string {
  if (schema.intOrString) return 'integer or string';
  if (schema.type === 'array')
    return `list of ${schema.items ? schemaText(schema.items) : 'anything'}`;
  if (schema.type === 'object') {
    const values = schema.additionalProperties;
    return typeof values === 'object' ? `map of ${schemaText(values)}` : 'object';
  }
  return schemaNames.get(schema.type) ?? 'any value';
}
