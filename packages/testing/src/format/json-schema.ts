/** The part of JSON Schema (draft 7) that the format of tests is described with. */
export interface JsonSchema {
  /** A schema of this document. */
  readonly $ref?: string;
  /** The description of a field. */
  readonly description?: string;
  /** The type of JSON. */
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  /** The only values. */
  readonly enum?: readonly string[];
  /** The only value. */
  readonly const?: string;
  /** The least number. */
  readonly minimum?: number;
  /** The fewest characters of a text. */
  readonly minLength?: number;
  /** The fewest elements of a list. */
  readonly minItems?: number;
  /** The schema of a list's elements. */
  readonly items?: JsonSchema;
  /** Fields by name. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** Fields that have to be there. */
  readonly required?: readonly string[];
  /** `false` if only the properties are allowed, otherwise the schema of every other field. */
  readonly additionalProperties?: boolean | JsonSchema;
  /** The fewest fields. */
  readonly minProperties?: number;
  /** Forms of which a value has one; they differ in their types. */
  readonly anyOf?: readonly JsonSchema[];
}
