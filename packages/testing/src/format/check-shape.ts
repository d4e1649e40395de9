import { closest, didYouMean } from '@kubeadmit/base';
import {
  type InputProblem,
  isRecord,
  Manifest,
  type Path,
  type ReadDocument,
} from '@kubeadmit/manifest';
import type { JsonSchema } from './json-schema.ts';

/** A problem of a part of a document. */
export interface ShapeProblem {
  readonly path: Path;
  readonly message: string;
  /** Whether the key at the path is wrong, and not its value. */
  readonly isOfKey?: boolean;
}

/** Everything in which a value differs from a schema, with the names and words that may have been meant. */
export function checkShape(value: unknown, root: JsonSchema): readonly ShapeProblem[] {
  const checker = new ShapeChecker(root);
  checker.check(value, root, []);
  return checker.problems;
}

/** The same of a document of a file, each at its place. */
export function documentProblems(
  { value, origin, path }: ReadDocument,
  schema: JsonSchema,
): readonly InputProblem[] {
  const { source } = origin;
  const manifest = new Manifest(value as never, origin, path);
  return checkShape(value, schema).map(({ path: at, message }) => ({
    file: source.name,
    place: manifest.place(at),
    message,
    source,
  }));
}

class ShapeChecker {
  readonly problems: ShapeProblem[] = [];
  readonly #definitions: Readonly<Record<string, JsonSchema>>;

  constructor(root: JsonSchema) {
    this.#definitions =
      (root as { definitions?: Readonly<Record<string, JsonSchema>> }).definitions ?? {};
  }

  check(value: unknown, given: JsonSchema, path: Path): void {
    const schema = this.#resolve(given);
    if (schema.anyOf !== undefined) {
      const forms = schema.anyOf.map((form) => this.#resolve(form));
      const form = forms.find(({ type }) => hasType(value, type));
      if (form === undefined) {
        const wanted = forms.map(({ type }) => nouns[type ?? 'object']).join(' or ');
        this.#complain(path, `must be ${wanted}, not ${describe(value)}`);
      } else this.check(value, form, path);
      return;
    }
    if (!hasType(value, schema.type)) {
      const wanted = nouns[schema.type ?? 'object'];
      // YAML 1.1, which Kubernetes reads, has many words for them.
      const isWord = typeof value === 'boolean' && schema.type === 'string';
      const hint = isWord ? ' (quote strings such as no, off and y)' : '';
      this.#complain(path, `must be ${wanted}, not ${describe(value)}${hint}`);
    } else if (typeof value === 'string') this.#checkText(value, schema, path);
    else if (Array.isArray(value)) this.#checkList(value, schema, path);
    else if (isRecord(value)) this.#checkObject(value, schema, path);
    else if (schema.minimum !== undefined && Number(value) < schema.minimum)
      this.#complain(path, `must be at least ${schema.minimum}`);
  }

  #checkText(value: string, schema: JsonSchema, path: Path): void {
    const words = schema.const === undefined ? schema.enum : [schema.const];
    if (words !== undefined && !words.includes(value)) {
      const allowed = words.map((word) => `\`${word}\``).join(', ');
      this.#complain(
        path,
        `must be ${words.length === 1 ? '' : 'one of '}${allowed}${didYouMean(closest(value, words))}`,
      );
    }
    if (value.length < (schema.minLength ?? 0)) this.#complain(path, 'must not be empty');
  }

  #checkList(
    value: readonly unknown[],
    { items = {}, minItems = 0 }: JsonSchema,
    path: Path,
  ): void {
    if (value.length < minItems) this.#complain(path, 'must not be empty');
    for (const [index, item] of value.entries()) this.check(item, items, [...path, index]);
  }

  #checkObject(value: Readonly<Record<string, unknown>>, schema: JsonSchema, path: Path): void {
    const { properties = {}, required = [], additionalProperties: others = true } = schema;
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.#complain(path, `has no \`${name}\``);
    }
    const names = Object.keys(value);
    if (names.length < (schema.minProperties ?? 0)) this.#complain(path, 'must not be empty');
    for (const name of names) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const inner = [...path, name];
      if (known !== undefined) this.check(value[name], known, inner);
      else if (typeof others === 'object') this.check(value[name], others, inner);
      else if (!others) {
        const hint = didYouMean(closest(name, Object.keys(properties)));
        const message = `unknown field "${pathText(inner)}"${hint}`;
        this.problems.push({ path: inner, message, isOfKey: true });
      }
    }
  }

  #complain(path: Path, message: string): void {
    const subject = path.length === 0 ? 'a suite' : `\`${pathText(path)}\``;
    this.problems.push({ path, message: `${subject} ${message}` });
  }

  #resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.replace('#/definitions/', '');
    return name === undefined ? schema : (this.#definitions[name] ?? {});
  }
}

const nouns = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'an object',
  string: 'a string',
} as const;

function hasType(value: unknown, type: JsonSchema['type']): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function describe(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  return typeof value === 'string' ? `the string ${JSON.stringify(value)}` : String(value);
}

/** A path as people write it: `cases[0].expect`. */
export function pathText(path: Path): string {
  const steps = path.map((step, at) => {
    if (typeof step === 'number') return `[${step}]`;
    if (!/^[\w-]+$/.test(step)) return `["${step}"]`;
    return at === 0 ? step : `.${step}`;
  });
  return steps.join('');
}
