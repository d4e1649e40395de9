import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { DecodeError, decodeTyped } from '../go-types/decode.ts';
import { encodeTyped } from '../go-types/encode.ts';
import { type Shape, shapeOf } from '../go-types/shape.ts';
import { stringField } from '../policy/fields.ts';
import { policyTypes } from './policy-types.data.ts';

const shapes: ReadonlyMap<string, Shape> = new Map(
  ['ClusterPolicy', 'Policy'].map((kind) => [kind, shapeOf(policyTypes, `v1.${kind}`)]),
);
const ruleShape = shapeOf(policyTypes, 'v1.Rule');

/** What tells the kinds of policies apart. */
const headShape = shapeOf({ '.': [['kind', 'string']] }, '.');

/** A policy with the fields of Kyverno's types alone, or the error of reading it. */
export function readPolicy(source: unknown): JsonObject | DecodeError {
  const head = decodeTyped(source, headShape);
  if (head instanceof DecodeError) return head;
  const kind = isObject(head) ? stringField(head, 'kind') : '';
  const shape = shapes.get(kind);
  if (shape === undefined) {
    const message = `kind ${quote(kind)} is neither ClusterPolicy nor Policy`;
    return new DecodeError(message, ['kind']);
  }
  const typed = decodeTyped(source, shape);
  if (typed instanceof DecodeError) return typed;
  return isObject(typed) ? typed : {};
}

/** A generated rule with the fields of Kyverno's type alone. */
export function readRule(source: JsonObject): JsonObject {
  const typed = decodeTyped(source, ruleShape);
  return isObject(typed) ? typed : source;
}

/** A policy as Kyverno writes it, its fields in the order of their type. */
export function writePolicy(policy: JsonObject, kind: string): unknown {
  const shape = shapes.get(kind);
  return shape === undefined ? policy : encodeTyped(policy, shape);
}

/** A part of a policy as Kyverno writes it. */
export function writeTyped(value: unknown, type: string): unknown {
  return encodeTyped(value, shapeOf(policyTypes, type));
}

/** A rule as Kyverno writes it. */
export function writeRule(rule: JsonObject): JsonObject {
  const written = encodeTyped(rule, ruleShape);
  return isObject(written) ? written : rule;
}
