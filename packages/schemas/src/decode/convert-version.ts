import {
  formatGroupVersion,
  type GroupVersionKind,
  type JsonObject,
  kindOfObject,
} from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/base';
import { requireName, requireSchemas } from '../version/require-schemas.ts';
import type { Schemas } from '../version/schemas.ts';
import { structOf } from '../version/structs.ts';
import type { Step } from './conversion-step.ts';
import { convertAutoscaler } from './convert-autoscaler.ts';
import { convertClaim, convertClaimTemplate, convertSlice } from './convert-devices.ts';
import { hasGoForm } from './decode.ts';
import type { Decoded } from './decoded.ts';
import { internalForm, keepInternalForm } from './internal-form.ts';
import { readObject } from './read.ts';
import { roundTrip } from './storage-form.ts';
import { writeObject } from './write.ts';

/** Converts an object in place; returns the server's internal form of it, if that has more than its new version. */
type Conversion = (object: JsonObject, step: Step) => JsonObject | undefined;

/**
 * Kinds whose versions differ in more than the fields that they have. The long one is named in a function, so that
 * programs may load it when it is used.
 */
const conversions: Readonly<Record<string, Conversion>> = {
  'autoscaling/HorizontalPodAutoscaler': (object, step) => convertAutoscaler(object, step),
  'resource.k8s.io/ResourceClaim': convertClaim,
  'resource.k8s.io/ResourceClaimTemplate': convertClaimTemplate,
  'resource.k8s.io/ResourceSlice': convertSlice,
};

/**
 * An object that decoding gave, in another version of its group, as kube-apiserver converts it through its internal
 * form: nothing gets a default. The argument is never changed.
 *
 * Objects of kinds that the schemas do not know change nothing but their `apiVersion`.
 */
export function convertVersion(
  schemas: Schemas,
  object: JsonObject,
  to: GroupVersionKind,
): Decoded {
  requireSchemas('convertVersion', schemas);
  requireArgument('convertVersion', object, { what: 'an object' });
  requireName('convertVersion', to, 'kind');
  const labelled = {
    ...internalForm(object),
    apiVersion: formatGroupVersion(to),
    kind: to.kind,
  };
  const type = structOf(schemas, to);
  if (!type || !hasGoForm(schemas, to)) return { known: false, object: labelled };
  const { types, minor } = schemas;
  const from = kindOfObject(object);
  const convert = conversions[`${to.group}/${to.kind}`];
  const source = (convert && from && structOf(schemas, from)) || type;
  const read = readObject(types, source, labelled, { isHeld: true });
  if (!read.object) return { known: true, error: read.error ?? '' };
  let full: JsonObject | undefined;
  if (convert && from) {
    full = convert(read.object, { from: from.version, to: to.version, minor });
  } else {
    const refusal = roundTrip(type, read.object, minor);
    if (refusal !== undefined) return { known: true, error: refusal };
  }
  const converted = writeObject(types, type, read.object);
  if (full !== undefined) keepInternalForm(converted, full);
  return { known: true, object: converted };
}
