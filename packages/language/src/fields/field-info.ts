import type { Type } from '@kubeadmit/cel';

/** A field of an object, for people. */
export interface FieldInfo {
  readonly name: string;
  /** The name in expressions; `undefined` where they cannot name it. */
  readonly escaped: string | undefined;
  readonly type: Type;
  /** The type in the words of Kubernetes: `list of Container`, `quantity`. */
  readonly about: string;
  /** The struct or kind of the field. */
  readonly owner: string;
  readonly description?: string;
  /** The values that it may have. */
  readonly values?: readonly string[];
  /** The Go type of the value, such as `v1.FailurePolicyType`. */
  readonly go?: string;
}

/** The fields of an object type by their names in YAML. */
export type Fields = ReadonlyMap<string, FieldInfo>;
