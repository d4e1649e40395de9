import { compareText, formatComposite, formatValue, quote } from '@kubeadmit/go';
import type { MergeList, MergeMap, MergeScalar, MergeType } from '@kubeadmit/schemas/merge';
import { nilList } from '@kubeadmit/schemas/unstable-internal';
import { elementKey } from './element-key.ts';
import {
  GoValue,
  isList,
  isNumber,
  isObject,
  isScalar,
  numberText,
  type PatchObject,
  type PatchValue,
} from './patch-value.ts';

/** One finding about a value, with the path to it: `.spec.tags[0]`. */
export interface ValueError {
  /** The path of the value, such as `.spec.ports`. */
  readonly path: string;
  /** The server's message. */
  readonly message: string;
}

/** Formats errors: a single one as its message, several as a list (structured-merge-diff, ValidationErrors). */
export function valueErrorsText(errors: readonly ValueError[]): string {
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? (texts[0] ?? '') : ['errors:', ...texts].join('\n  ');
}

/** How values are validated. */
export interface ValueValidation {
  /** Elements of keyed lists and sets may occur more than once. */
  readonly allowDuplicates: boolean;
}

/**
 * Validates a value against a type (structured-merge-diff, typed validation).
 *
 * Members are visited in the order of their names; kube-apiserver visits them in random order.
 */
export function validateValue(
  value: PatchValue,
  type: MergeType,
  validation: ValueValidation,
): ValueError[] {
  const errors: ValueError[] = [];
  new ValueWalker(errors, validation.allowDuplicates).visit(value, type, '');
  return errors;
}

/** The members of a type that apply to a value; all of them where none fits. */
function deduceType(type: MergeType, value: PatchValue | undefined): MergeType {
  if (value === undefined || value === null) return type;
  if (isScalar(value)) return type.scalar === undefined ? type : { scalar: type.scalar };
  if (isList(value)) return type.list === undefined ? type : { list: type.list };
  if (isObject(value)) return type.map === undefined ? type : { map: type.map };
  return type;
}

class ValueWalker {
  readonly #errors: ValueError[];
  readonly #allowDuplicates: boolean;

  constructor(errors: ValueError[], allowDuplicates: boolean) {
    this.#errors = errors;
    this.#allowDuplicates = allowDuplicates;
  }

  visit(value: PatchValue, type: MergeType, path: string): void {
    const { map, scalar, list } = deduceType(type, value);
    if (map !== undefined) this.#visitMap(value, map, path);
    else if (scalar !== undefined) this.#visitScalar(value, scalar, path);
    else if (list !== undefined) this.#visitList(value, list, path);
    else this.#report(path, 'schema error: invalid atom: inlined');
  }

  #visitScalar(value: PatchValue, scalar: MergeScalar, path: string): void {
    if (value === null) return;
    if (scalar === 'numeric') {
      if (!isNumber(value)) {
        this.#report(path, `expected numeric (int or float), got ${goType(value)}`);
      }
    } else if (scalar === 'string') {
      if (typeof value !== 'string') {
        const syntax = goSyntax(value);
        this.#report(path, `expected string, got &value.valueUnstructured{Value:${syntax}}`);
      }
    } else if (scalar === 'boolean') {
      if (typeof value !== 'boolean') {
        this.#report(path, `expected boolean, got &{${goPlain(value)}}`);
      }
    } else if (!isScalar(value)) {
      this.#report(path, `expected any scalar, got &{${goPlain(value)}}`);
    }
  }

  #visitList(value: PatchValue, list: MergeList, path: string): void {
    if (value === null) return;
    if (!isList(value)) {
      this.#report(path, `expected list, got &{${goPlain(value)}}`);
      return;
    }
    const seen = new Set<string>();
    for (const [i, element] of value.entries()) {
      let at = `[${i}]`;
      if (!list.atomic) {
        const key = elementKey(list, element);
        if ('error' in key) {
          this.#report(path, `element ${i}: ${key.error}`);
          return;
        }
        if (seen.has(key.id) && !this.#allowDuplicates) {
          this.#report(path, `duplicate entries for key ${key.text}`);
        }
        seen.add(key.id);
        at = key.text;
      }
      this.visit(element, list.element, path + at);
    }
  }

  #visitMap(value: PatchValue, map: MergeMap, path: string): void {
    if (value === null) return;
    if (!isObject(value)) {
      this.#report(path, `expected map, got &{${goPlain(value)}}`);
      return;
    }
    for (const key of Object.keys(value).sort(compareText)) {
      const type = map.field(key)?.type ?? map.element;
      if (type === undefined) {
        this.#report(`${path}.${key}`, 'field not declared in schema');
        return;
      }
      this.visit(value[key] ?? null, type, `${path}.${key}`);
    }
  }

  #report(path: string, message: string): void {
    this.#errors.push({ path, message });
  }
}

function goType(value: PatchValue): string {
  if (value instanceof GoValue) return value.goType;
  if (isList(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'string' ? 'string' : 'bool';
}

/** A value as Go's `%v` prints it. */
function goPlain(value: PatchValue): string {
  return formatComposite(value, (scalar) => {
    const known = scalar as PatchValue;
    if (known instanceof GoValue) return known.plain;
    return isNumber(known) ? numberText(known) : formatValue(known);
  });
}

/** A value as Go's `%#v` prints it. */
function goSyntax(value: PatchValue): string {
  if (value instanceof GoValue) return value.syntax;
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (isNumber(value)) return numberText(value);
  if (value === nilList) return '[]interface {}(nil)';
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return String(value);
  return `map[string]interface {}{${sortedEntries(value)
    .map(([key, member]) => `${quote(key)}:${goSyntax(member)}`)
    .join(', ')}}`;
}

function sortedEntries(object: PatchObject): [string, PatchValue][] {
  return Object.entries(object).sort(([a], [b]) => compareText(a, b));
}
