/** The part of JSON Schema (draft 7) that the format of tests is described with. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** `false` where only the properties are known, else what every other field is. */
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  /** Forms of which a value has one; they differ in their types. */
  readonly anyOf?: readonly JsonSchema[];
}
