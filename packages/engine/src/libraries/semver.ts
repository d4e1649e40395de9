import type { ParseError } from '@kubeadmit/apimachinery';
import {
  compareSemver,
  formatSemver,
  parseNormalizedSemver,
  parseSemver,
  type Semver,
} from '@kubeadmit/apimachinery/semver';
import { memoize } from '@kubeadmit/base';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import { structType } from '@kubeadmit/cel/types';
import { makeInt, noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { comparisonRows } from './comparison-rows.ts';

/** The type of semantic versions in CEL. */
const semverType: Type = structType('kubernetes.Semver');

/** A semantic version as a CEL value. */
class SemverValue extends OpaqueValue {
  readonly goType: string = 'cel.Semver';
  readonly version: Semver;

  constructor(version: Semver) {
    super();
    this.version = version;
  }

  get type(): Type {
    return semverType;
  }

  override get isHashable(): boolean {
    return false;
  }

  compareTo(other: SemverValue): number {
    return compareSemver(this.version, other.version);
  }

  equals(other: Value): boolean | CelError {
    return other instanceof SemverValue ? this.compareTo(other) === 0 : noOverload();
  }

  override toString(): string {
    return formatSemver(this.version);
  }
}

const strictSemver = memoize((text) => semverOf(parseSemver(text)));
const normalizedSemver = memoize((text) => semverOf(parseNormalizedSemver(text)));

function semverOf(version: Semver | ParseError): SemverValue | CelError {
  return 'error' in version ? new CelError(version.error) : new SemverValue(version);
}

function semver(text: string, normalize: boolean): SemverValue | CelError {
  return normalize ? normalizedSemver(text) : strictSemver(text);
}

/** A part of a version; Go takes the 64 bits for those of a number with a sign. */
function part(name: 'major' | 'minor' | 'patch'): FunctionRow {
  return [
    name,
    `semver_${name}`,
    'Semver.() -> int',
    ({ version }: SemverValue) => makeInt(BigInt.asIntN(64, version[name])),
  ];
}

/**
 * Semantic versions (apiserver pkg/cel/library/semverlib.go, version 1).
 *
 * - `semver("1.2.3").isLessThan(semver("1.10.0"))` is true; `semver("1.2.3").minor()` is 2.
 * - `semver("v1.2", true)` is `semver("1.2.0")`; `isSemver("1.2")` is false.
 */
export const semverLibrary: Library = {
  name: 'kubernetes.semver',
  functions: functionsOf(
    [
      ['semver', 'string_to_semver', '(string) -> Semver', strictSemver],
      ['semver', 'string_bool_to_semver', '(string, bool) -> Semver', semver],
      [
        'isSemver',
        'is_semver_string',
        '(string) -> bool',
        (text: string) => strictSemver(text) instanceof SemverValue,
      ],
      [
        'isSemver',
        'is_semver_string_bool',
        '(string, bool) -> bool',
        (text: string, normalize: boolean) => semver(text, normalize) instanceof SemverValue,
      ],
      ...comparisonRows<SemverValue>('Semver'),
      part('major'),
      part('minor'),
      part('patch'),
    ],
    { Semver: semverType },
  ),
};
