/** Go structs by name: their fields in order, with their types and the embedded structs that they come from. */
export type TypeTable = Readonly<Record<string, readonly FieldRow[]>>;

type FieldRow = readonly [field: string, type: string, embedded?: string];

/** The Go type of a value, as `encoding/json` reads and writes it. */
export type Shape = ScalarShape | ListShape | MapShape | StructShape | FreeShape | OwnShape;

/** A text, truth value or number; `type` is the name that error texts print. */
export interface ScalarShape {
  readonly kind: 'string' | 'bool' | 'int32' | 'int64';
  readonly type: string;
}

/** A list. */
export interface ListShape {
  readonly kind: 'list';
  readonly items: Shape;
  readonly type: string;
}

/** A map with keys of the user's choice. */
export interface MapShape {
  readonly kind: 'map';
  readonly values: Shape;
  readonly type: string;
}

/** A struct. */
export interface StructShape {
  readonly kind: 'struct';
  readonly type: string;
  /** The name without its package. */
  readonly name: string;
  readonly fields: () => ReadonlyMap<string, FieldShape>;
  /** The names of the fields by themselves in lower case; the first of several. */
  readonly foldedNames: () => ReadonlyMap<string, string>;
}

/** A type that reads its JSON itself; anything goes. */
export interface FreeShape {
  readonly kind: 'free';
  readonly type: string;
}

/** A type that reads its JSON itself, as one of some others; a wrong value ends the reading. */
export interface OwnShape {
  readonly kind: 'own';
  readonly type: string;
  readonly choices: readonly Shape[];
  /** The error where several choices are there and none fits. */
  readonly error: string;
}

/** A field of a struct. */
export interface FieldShape {
  readonly shape: Shape;
  readonly isPointer: boolean;
  /** Whether it is left out when it is empty. */
  readonly omitsEmpty: boolean;
  /** Its place among the fields. */
  readonly place: number;
  /** Its name with those of embedded structs, as error texts print it. */
  readonly text: string;
}

/** The shape of a type of a table: `v1.Rule`, `[]string`, `map:string`, `*int32`, `string:types.UID`, `any:v1.JSON`. */
export function shapeOf(table: TypeTable, type: string): Shape {
  if (type.startsWith('*')) return shapeOf(table, type.slice(1));
  const equals = type.indexOf('=');
  if (equals > 0) return { ...shapeOf(table, type.slice(equals + 1)), type: type.slice(0, equals) };
  if (type.startsWith('[]')) {
    const items = shapeOf(table, type.slice(2));
    return { kind: 'list', items, type: `[]${items.type}` };
  }
  if (type.startsWith('map:')) {
    const values = shapeOf(table, type.slice(4));
    return { kind: 'map', values, type: `map[string]${values.type}` };
  }
  const [kind = '', name = kind] = type.split(':');
  switch (kind) {
    case 'any':
      return ownShapeOf(table, name);
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
      return { kind, type: name };
    case 'int':
      return { kind: 'int64', type: name };
    default:
      return structOf(table, type);
  }
}

/** Types that read their JSON themselves, as what they read it. */
const ownTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1.ForEachValidationWrapper', ['[]v1.ForEachValidation']],
  ['v1.ForEachMutationWrapper', ['[]v1.ForEachMutation']],
  ['v1.ConditionsWrapper', ['[]v1.Condition', 'v1.AnyAllConditions']],
]);

function ownShapeOf(table: TypeTable, type: string): Shape {
  const choices = ownTypes.get(type);
  if (choices === undefined) return { kind: 'free', type };
  return {
    kind: 'own',
    type,
    choices: choices.map((choice) => shapeOf(table, choice)),
    error: 'failed to unmarshal Conditions',
  };
}

const structs = new WeakMap<TypeTable, Map<string, StructShape>>();

function structOf(table: TypeTable, key: string): StructShape {
  const known = structs.get(table) ?? new Map<string, StructShape>();
  structs.set(table, known);
  const made = known.get(key);
  if (made !== undefined) return made;
  const parts = key.split('.');
  let fields: ReadonlyMap<string, FieldShape> | undefined;
  let folded: ReadonlyMap<string, string> | undefined;
  const shape: StructShape = {
    kind: 'struct',
    type: parts.slice(-2).join('.'),
    name: parts.at(-1) ?? '',
    fields: () => {
      fields ??= new Map((table[key] ?? []).map((row, place) => fieldOf(table, row, place)));
      return fields;
    },
    foldedNames: () => {
      folded ??= foldNames([...shape.fields().keys()]);
      return folded;
    },
  };
  known.set(key, shape);
  return shape;
}

function foldNames(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...names].reverse().map((name) => [name.toLowerCase(), name]));
}

function fieldOf(
  table: TypeTable,
  [written, type, embedded]: FieldRow,
  place: number,
): [string, FieldShape] {
  const omitsEmpty = written.endsWith('?');
  const name = omitsEmpty ? written.slice(0, -1) : written;
  const text = embedded === undefined ? name : `${embedded}.${name}`;
  const shape = shapeOf(table, type);
  return [name, { shape, isPointer: type.startsWith('*'), omitsEmpty, place, text }];
}
