import { type CelError, type Library, Optional, type Type, type Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import { structType } from '@kubeadmit/cel/types';
import { noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { type NamedFormat, namedFormats } from '../formats/named-formats.ts';

/** The type of named formats in CEL. */
const namedFormatType: Type = structType('kubernetes.NamedFormat');

export class NamedFormatValue extends OpaqueValue {
  readonly goType: string = 'cel.Format';
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }

  get type(): Type {
    return namedFormatType;
  }

  override get isHashable(): boolean {
    return false;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof NamedFormatValue
      ? this.format.name === other.format.name
      : noOverload();
  }

  override toString(): string {
    return this.format.name;
  }
}

const values: ReadonlyMap<string, NamedFormatValue> = new Map(
  [...namedFormats].map(([name, format]) => [name, new NamedFormatValue(format)]),
);

function validate({ format }: NamedFormatValue, text: string): Value {
  const problems = format.problems(text);
  return problems.length === 0 ? Optional.none : new Optional(problems);
}

/**
 * Named formats (apiserver pkg/cel/library/format.go).
 *
 * - `format.dns1123Label().validate("my-name")` is `optional.none()`: nothing is wrong.
 * - `format.named("uuid").value().validate("x").value()` is `["does not match the UUID format"]`.
 */
export const formatLibrary: Library = {
  name: 'kubernetes.format',
  functions: functionsOf(
    [
      ['validate', 'format-validate', 'Format.(string) -> optional<list<string>>', validate],
      [
        'format.named',
        'format-named',
        '(string) -> optional<Format>',
        (name: string) => {
          const value = values.get(name);
          return value === undefined ? Optional.none : new Optional(value);
        },
      ],
      ...Array.from(
        values,
        ([name, value]): FunctionRow => [
          `format.${name}`,
          `format.${name}`,
          '() -> Format',
          () => value,
        ],
      ),
    ],
    { Format: namedFormatType },
  ),
};
