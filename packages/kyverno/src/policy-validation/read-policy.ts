import { type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { readStruct } from '@kubeadmit/schemas/workloads';
import { stringField } from '../fields/fields.ts';
import { encodeStruct } from './encode-struct.ts';
import { policyStruct, policyStructs } from './policy-structs.ts';

/** The reason why a policy cannot be decoded: the message of Go's decoder, and the position of the value. */
export class DecodeError {
  readonly message: string;
  readonly path: readonly (string | number)[];

  constructor(message: string, path: readonly (string | number)[]) {
    this.message = message;
    this.path = path;
  }
}

/** A policy with the fields of Kyverno's types alone, or the error of reading it. */
export function readPolicy(source: unknown): JsonObject | DecodeError {
  const head = read(source, '.');
  if (head instanceof DecodeError) return head;
  const kind = stringField(head, 'kind');
  if (kind === 'ClusterPolicy' || kind === 'Policy') return read(source, `v1.${kind}`);
  return new DecodeError(`kind ${quote(kind)} is neither ClusterPolicy nor Policy`, ['kind']);
}

function read(source: unknown, struct: string): JsonObject | DecodeError {
  const {
    object,
    error = '',
    errorPlace = [],
  } = readStruct(policyStructs, policyStruct(struct), source ?? null);
  return object ?? new DecodeError(error, errorPlace);
}

/** A generated rule with the fields of Kyverno's type alone. */
export function readRule(source: JsonObject): JsonObject {
  const typed = read(source, 'v1.Rule');
  return typed instanceof DecodeError ? source : typed;
}

/** A policy as Kyverno writes it, its fields in the order of their type. */
export function writePolicy(policy: JsonObject): JsonObject {
  return encodeStruct(policy, policyStruct(`v1.${stringField(policy, 'kind')}`));
}

/** A part of a policy as Kyverno writes it. */
export function writeTyped(value: unknown, struct: string): JsonObject {
  return encodeStruct(objectOf(value), policyStruct(struct));
}

/** A rule as Kyverno writes it. */
export function writeRule(rule: JsonObject): JsonObject {
  return encodeStruct(rule, policyStruct('v1.Rule'));
}
