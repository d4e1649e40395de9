import { keywords } from '@kubeadmit/cel/syntax';
import type { Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, structNamed, structShape } from '@kubeadmit/schemas/types';
import { quoted } from './literal.ts';
import { all, always, apply, binding, choice, member, operand, type Term } from './term.ts';

/** The known properties of a value: its shape in the schema of its kind. */
export interface Known {
  readonly schemas: Schemas;
  readonly shape: Shape | undefined;
}

/**
 * A place in an object that may be absent: a term that is always there, and the keys that lead from it.
 *
 * It is written in three ways: plainly (`object.spec.replicas`), as an optional
 * (`object.spec.?replicas`), and as the question whether it is there (`has(object.spec.replicas)`).
 */
export class Path {
  readonly known: Known;
  readonly #root: Term;
  readonly #steps: readonly Step[];

  constructor(root: Term, known: Known, steps: readonly Step[] = []) {
    this.#root = root;
    this.known = known;
    this.#steps = steps;
  }

  /** Whether server-side apply takes the value as one, so that no part of it can be changed alone. */
  get isAtomic(): boolean {
    return this.#steps.at(-1)?.isAtomic === true;
  }

  /**
   * `size(a.b) > 1`: whether the lists on the way have the elements of their indexes. Ends in an error where a list is
   * absent, as JMESPath does; an element that a list has not is null there.
   */
  get elementPresence(): Term {
    const tests: Term[] = [];
    let before = operand(this.#root, binding.member);
    for (const { key, at, isOpen, isFilled } of this.#steps) {
      if (at !== undefined && isFilled !== true) tests.push(...elementTests(before, at, isOpen));
      before += at === undefined ? dotted(key, '') : `[${at}]`;
    }
    return all(tests);
  }

  /** Whether it is the labels or annotations of an object or template. */
  get isMetadataMap(): boolean {
    const [metadata, map] = this.#steps.slice(-2);
    return metadata?.key === 'metadata' && ['labels', 'annotations'].includes(map?.key ?? '');
  }

  /** The last key; empty for the root. */
  get key(): string {
    return this.#steps.at(-1)?.key ?? '';
  }

  /** The member of a key. */
  select(key: string): Path {
    const { shape, isSure, ...rest } = memberShape(this.known, key);
    const isNullable = key === 'rules' && mayLackRules(this.known.shape);
    const step = { key, ...rest, isSure: isSure && !isNullable, isNullable };
    return new Path(this.#root, { ...this.known, shape }, [...this.#steps, step]);
  }

  /** The element of an index, a number or a term for one; it may be absent. */
  index(given: number | Term): Path {
    const at = typeof given === 'number' ? String(given) : given.text;
    const shape = this.known.shape?.kind === 'list' ? this.known.shape.element : undefined;
    const isOpen = this.known.shape === undefined;
    const isFilled = at === '0' && this.#steps.at(-1)?.isFilled === true;
    const step = { key: '', at, isSure: false, isOpen, isFilled };
    return new Path(this.#root, { ...this.known, shape }, [...this.#steps, step]);
  }

  /** `a.b.c` */
  get term(): Term {
    const steps = this.#steps.map(({ key, at }) =>
      at === undefined ? dotted(key, '') : `[${at}]`,
    );
    return member(operand(this.#root, binding.member) + steps.join(''));
  }

  /** The same path, in a context where its existence was already checked. */
  get present(): Path {
    const steps = this.#steps.map((step) => ({
      ...step,
      isSure: step.at === undefined,
      wasOpen: !step.isSure,
    }));
    return new Path(this.#root, this.known, steps);
  }

  /** Whether it is the name of the object, which it has by the time that policies see it; templates have none. */
  get isObjectName(): boolean {
    return /^(?:old)?obj\W?ect\.metadata\.name$/i.test(this.term.text);
  }

  /** Whether reading the place ends in an error for some objects. */
  get mayEnd(): boolean {
    if (this.isObjectName) return false;
    return this.#steps.some(({ isSure, wasOpen }) => !isSure || wasOpen === true);
  }

  /** Whether nothing on the way can be absent. */
  get isSure(): boolean {
    return this.#steps.every(({ isSure }) => isSure);
  }

  /** `has(a.b) && has(a.b.c)`: whether the value is there. */
  get presence(): Term {
    const tests: Term[] = [];
    let before = operand(this.#root, binding.member);
    for (const { key, at, isSure, isNullable, isOpen } of this.#steps) {
      if (at !== undefined) tests.push(...elementTests(before, at, isOpen));
      else if (isNullable === true) {
        // The type checker takes no list for null.
        tests.push({ text: `dyn(${before}${dotted(key, '')}) != null`, binds: binding.relation });
      } else if (!isSure) {
        tests.push(
          isIdentifier(key)
            ? apply('has', member(before + dotted(key, '')))
            : { text: `${quoted(key)} in ${before}`, binds: binding.relation },
        );
      }
      before += at === undefined ? dotted(key, '') : `[${at}]`;
    }
    return tests.length === 0 ? always : all(tests);
  }

  /** `a.?b.?c.orValue(value)`, or `a.b.c` where nothing can be absent. */
  orValue(value: Term): Term {
    if (this.isSure) return this.term;
    if (this.#steps.at(-1)?.isNullable === true) {
      return member(`(${choice(this.presence, this.term, value).text})`);
    }
    return member(`${this.optional}.orValue(${value.text})`);
  }

  /** `a.?b.?c` */
  get optional(): string {
    let text = operand(this.#root, binding.member);
    let isSure = true;
    for (const step of this.#steps) {
      isSure &&= step.isSure;
      if (step.at !== undefined) text += `[?${step.at}]`;
      else text += dotted(step.key, isSure ? '' : '?');
    }
    return text;
  }
}

interface Step {
  readonly key: string;
  readonly at?: string;
  /** Whether the container of the element is not known to be a list. */
  readonly isOpen?: boolean;
  /**
   * Of a list: whether it has an element wherever it is there. Of an element: whether it is the first of such a list.
   */
  readonly isFilled?: boolean;
  /** Whether the server always writes it. */
  readonly isSure: boolean;
  /** Whether it may be absent, and is read all the same. */
  readonly wasOpen?: boolean;
  readonly isAtomic?: boolean;
  /** Whether the server writes null where there is nothing. */
  readonly isNullable?: boolean;
}

function elementTests(list: string, at: string, isOpen: boolean | undefined): readonly Term[] {
  const isList = { text: `type(${list}) == list`, binds: binding.relation };
  const isThere = { text: `size(${list}) > ${at}`, binds: binding.relation };
  return isOpen === true ? [isList, isThere] : [isThere];
}

// Roles without rules have null in this field instead of a list.
function mayLackRules(shape: Shape | undefined): boolean {
  const structs = shape?.struct?.split(alternative) ?? [];
  return structs.length > 0 && structs.every((name) => /^rbac\.v1\.(?:Cluster)?Role$/.test(name));
}

function isIdentifier(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !keywords.has(key);
}

function dotted(key: string, mark: '' | '?'): string {
  return isIdentifier(key) ? `.${mark}${key}` : `[${mark}${quoted(key)}]`;
}

function memberShape(
  { schemas, shape }: Known,
  key: string,
): {
  readonly shape: Shape | undefined;
  readonly isSure: boolean;
  readonly isAtomic: boolean;
  readonly isFilled?: boolean;
} {
  if (shape?.kind === 'map') return { shape: shape.element, isSure: false, isAtomic: false };
  const structs = shape?.struct?.split(alternative) ?? [];
  const fields = structs.map((struct) => structNamed(schemas, struct)?.byName.get(key));
  const [first] = fields;
  const inner = fields.map((field) => field?.shape.struct);
  if (inner.length > 1 && inner.every((name) => name !== undefined)) {
    const isSure = fields.every((field) => field !== undefined && isAlwaysWritten(field));
    return { shape: objectShape([...new Set(inner)]), isSure, isAtomic: false };
  }
  if (first === undefined || fields.some((field) => field?.shape.go !== first.shape.go)) {
    return { shape: undefined, isSure: false, isAtomic: false };
  }
  const isSure = fields.every((field) => field !== undefined && isAlwaysWritten(field));
  const isAtomic =
    first.map === 'atomic' ||
    (first.shape.kind === 'list' && first.list !== 'map' && first.list !== 'set') ||
    (first.shape.struct !== undefined &&
      structNamed(schemas, first.shape.struct)?.map === 'atomic');
  // A server leaves out empty lists, and takes no pod without containers.
  const isFilled =
    first.shape.kind === 'list' && (first.omitEmpty === true || key === 'containers');
  return { shape: first.shape, isSure, isAtomic, isFilled };
}

const alternative = '|';

/** The shape of an object that is one of several structs, with the fields that all of them have. */
export function objectShape(structs: readonly string[]): Shape | undefined {
  const struct = structs.join(alternative);
  return struct === '' ? undefined : structShape(struct);
}

// A struct that is not omitted when it is zero, and its members that are written even then.
function isAlwaysWritten({ always: isAlways, omitEmpty, omitZero, shape }: Field): boolean {
  if (isAlways) return true;
  if (shape.pointer || omitZero) return false;
  if (shape.kind === 'struct') return true;
  return !omitEmpty && shape.kind !== 'list' && shape.kind !== 'map';
}
