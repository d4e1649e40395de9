import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { parseRfc3339 } from '@kubeadmit/go';
import { objectField, objectsField, stringField, textsField } from '../fields/fields.ts';
import type { CelProgram } from './compile-expressions.ts';

/** A PolicyException of `policies.kyverno.io`, with the fields that can be read before its policy is known. */
export interface CelException {
  readonly key: string;
  readonly policies: readonly { readonly kind: string; readonly name: string }[];
  readonly spec: JsonObject;
  readonly images: readonly string[];
  readonly allowedValues: readonly string[];
  /** Whether a policy that it saves an object from counts as passed, and not as skipped. */
  readonly reportsPass: boolean;
  readonly priority: number;
  /** The moment after which it no longer applies, in milliseconds since 1970; undefined for never. */
  readonly expiresAt: number | undefined;
}

/** An exception with its conditions, compiled in the environment of a policy. */
export interface CompiledCelException {
  readonly exception: CelException;
  readonly conditions: readonly CelProgram[];
  /** Whether it has expired, as Kyverno's admission controller sees it; its CLI ignores `expiresAt`. */
  readonly isExpired: () => boolean;
}

/** Reads a PolicyException of `policies.kyverno.io`. */
export function readCelException(source: JsonObject): CelException {
  const spec = objectField(source, 'spec') ?? {};
  const metadata = memberObject(source, 'metadata');
  const namespace = stringField(metadata, 'namespace');
  const name = stringField(metadata, 'name');
  const labels = objectField(metadata, 'labels') ?? {};
  return {
    key: namespace === '' ? name : `${namespace}/${name}`,
    policies: objectsField(spec, 'policyRefs').map((reference) => ({
      kind: stringField(reference, 'kind'),
      name: stringField(reference, 'name'),
    })),
    spec,
    images: textsField(spec, 'images'),
    allowedValues: textsField(spec, 'allowedValues'),
    reportsPass: stringField(spec, 'reportResult') === 'pass',
    expiresAt: expiryOf(spec),
    priority: Number.parseInt(stringField(labels, 'polex.kyverno.io/priority') || '0', 10) || 0,
  };
}

/** Whether an exception is about policies for which it can expire: policies that generate ignore `expiresAt`. */
export function mayExpire({ policies }: CelException): boolean {
  return policies.some(({ kind }) => !kind.endsWith('GeneratingPolicy'));
}

function expiryOf(spec: JsonObject): number | undefined {
  const time = parseRfc3339(stringField(spec, 'expiresAt'));
  return time && time.seconds * 1000 + Math.floor(time.nanoseconds / 1_000_000);
}

/** Whether an exception exempts from the complete policy, and not only for some images or values. */
export function isFullException({ images, allowedValues }: CelException): boolean {
  return images.length === 0 && allowedValues.length === 0;
}

/** Returns the result of a policy for an object that exceptions exempt. */
export function exemptionOf(exceptions: readonly CelException[]): {
  readonly rule: 'exception';
  readonly status: 'pass' | 'skip';
  readonly message: string;
  readonly exceptions: readonly string[];
} {
  let selected = exceptions[0];
  let highest = 0;
  for (const exception of exceptions) {
    if (exception.priority <= highest) continue;
    highest = exception.priority;
    selected = exception;
  }
  const status = selected?.reportsPass === true ? 'pass' : 'skip';
  const keys = exceptions.map(({ key }) => key);
  const word = status === 'pass' ? 'passed' : 'skipped';
  const message = `rule is ${word} due to policy exception: ${keys.join(', ')}`;
  return { rule: 'exception', status, message, exceptions: keys };
}
