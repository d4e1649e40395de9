import type { ParseError } from '@kubeadmit/apimachinery';
import { parseNormalizedSemver } from '@kubeadmit/apimachinery/internal';
import {
  compareSemver,
  formatSemver,
  parseSemver,
  type Semver,
} from '@kubeadmit/apimachinery/semver';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import {
  boolType,
  intType,
  makeInt,
  OpaqueValue,
  stringType,
  structType,
} from '@kubeadmit/cel/internal';
import { memoize } from '@kubeadmit/go/internal';
import { declare, member, noSuchOverload, plain } from './declare.ts';

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

  equals(other: Value): boolean | CelError {
    return other instanceof SemverValue
      ? compareSemver(this.version, other.version) === 0
      : noSuchOverload();
  }

  override toString(): string {
    return formatSemver(this.version);
  }
}

const readStrict = memoize(parseSemver);
const readNormalized = memoize(parseNormalizedSemver);

function parse(text: string, normalize: boolean): Semver | ParseError {
  return normalize ? readNormalized(text) : readStrict(text);
}

function semver(text: string, normalize: boolean): Value {
  const version = parse(text, normalize);
  return 'error' in version ? new CelError(version.error) : new SemverValue(version);
}

function isSemver(text: string, normalize: boolean): Value {
  return !('error' in parse(text, normalize));
}

/** A part of a version; Go takes the 64 bits for those of a number with a sign. */
function part(id: string, read: (version: Semver) => bigint) {
  return member(id, [semverType], intType, ({ version }: SemverValue) =>
    makeInt(BigInt.asIntN(64, read(version))),
  );
}

const both: readonly Type[] = [semverType, semverType];

/**
 * Semantic versions (apiserver pkg/cel/library/semverlib.go, version 1).
 *
 * - `semver("1.2.3").isLessThan(semver("1.10.0"))` is true; `semver("1.2.3").minor()` is 2.
 * - `semver("v1.2", true)` is `semver("1.2.0")`; `isSemver("1.2")` is false.
 */
export const semverLibrary: Library = {
  name: 'kubernetes.semver',
  functions: [
    declare(
      'semver',
      plain('string_to_semver', [stringType], semverType, (text: string) => semver(text, false)),
      plain('string_bool_to_semver', [stringType, boolType], semverType, semver),
    ),
    declare(
      'isSemver',
      plain('is_semver_string', [stringType], boolType, (text: string) => isSemver(text, false)),
      plain('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ),
    declare(
      'isGreaterThan',
      member(
        'semver_is_greater_than',
        both,
        boolType,
        (left: SemverValue, right: SemverValue) => compareSemver(left.version, right.version) > 0,
      ),
    ),
    declare(
      'isLessThan',
      member(
        'semver_is_less_than',
        both,
        boolType,
        (left: SemverValue, right: SemverValue) => compareSemver(left.version, right.version) < 0,
      ),
    ),
    declare(
      'compareTo',
      member('semver_compare_to', both, intType, (left: SemverValue, right: SemverValue) =>
        compareSemver(left.version, right.version),
      ),
    ),
    declare(
      'major',
      part('semver_major', ({ major }) => major),
    ),
    declare(
      'minor',
      part('semver_minor', ({ minor }) => minor),
    ),
    declare(
      'patch',
      part('semver_patch', ({ patch }) => patch),
    ),
  ],
};
