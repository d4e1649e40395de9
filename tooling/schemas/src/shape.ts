/** The Go types of leaves, as Go's error texts show them. */
const goLeaves: Readonly<Record<string, string>> = {
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  fields: 'v1.FieldsV1',
  quantity: 'resource.Quantity',
  intorstring: 'intstr.IntOrString',
  raw: 'runtime.RawExtension',
  unknown: 'runtime.Unknown',
  json: 'v1.JSON',
  schemaorbool: 'v1.JSONSchemaPropsOrBool',
  schemaorarray: 'v1.JSONSchemaPropsOrArray',
  schemaorstrings: 'v1.JSONSchemaPropsOrStringArray',
  bytes: '[]uint8',
};

/** Returns the Go type of a shape that contains no named types. */
export function goType(shape: string): string {
  const text = shape.split(',')[0] as string;
  if (text.startsWith('*')) return `*${goType(text.slice(1))}`;
  if (text.startsWith('[]')) return `[]${goType(text.slice(2))}`;
  if (text.startsWith('{}')) return `map[string]${goType(text.slice(2))}`;
  return goLeaves[text] ?? text.split('.').slice(-2).join('.');
}

const schemaLeaves: Readonly<Record<string, unknown>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int: { type: 'integer', format: 'int32' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { ref: 'meta.v1.Time' },
  microtime: { ref: 'meta.v1.MicroTime' },
  duration: { ref: 'meta.v1.Duration' },
  fields: { ref: 'meta.v1.FieldsV1' },
  quantity: { ref: 'Quantity' },
  intorstring: { ref: 'IntOrString' },
  raw: { ref: 'RawExtension' },
  json: { ref: 'apiextensions.v1.JSON' },
  schemaorbool: { ref: 'apiextensions.v1.JSONSchemaPropsOrBool' },
  schemaorarray: { ref: 'apiextensions.v1.JSONSchemaPropsOrArray' },
  schemaorstrings: { ref: 'apiextensions.v1.JSONSchemaPropsOrStringArray' },
};

/** The OpenAPI schema that follows from a shape; every published one is checked against it. */
export function schemaOf(shape: string): unknown {
  const text = shape.split(',')[0] as string;
  if (text.startsWith('*')) return schemaOf(text.slice(1));
  if (text.startsWith('[]')) return { type: 'array', items: schemaOf(text.slice(2)) };
  if (text.startsWith('{}')) return { type: 'object', values: schemaOf(text.slice(2)) };
  return schemaLeaves[text] ?? { ref: text };
}
