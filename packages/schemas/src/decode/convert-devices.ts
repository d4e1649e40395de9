import type { JsonObject } from '@kubeadmit/apimachinery';
import { isEmpty, isEmptyList, items, pointer } from '../defaults/defaulting.ts';
import type { Step } from './conversion-step.ts';

/** Versions of `resource.k8s.io` whose requests have the fields of `exactly`, and whose devices are `basic`. */
const older: ReadonlySet<string> = new Set(['v1alpha3', 'v1beta1']);

/** Converts the requests of a ResourceClaim (kubernetes, `pkg/apis/resource/v1beta1/conversion.go`); changes it. */
export function convertClaim(object: JsonObject, step: Step): undefined {
  convertRequests(pointer(object, 'spec'), step);
}

/** Converts the requests of a ResourceClaimTemplate; changes it. */
export function convertClaimTemplate(object: JsonObject, step: Step): undefined {
  convertRequests(pointer(pointer(object, 'spec'), 'spec'), step);
}

/** A claim or a template of an older version with the empty lists of requests that its form leaves out, if it has some. */
export function withEmptyLists(object: JsonObject): JsonObject | undefined {
  const spec = pointer(object, 'spec');
  const inner = pointer(spec, 'spec');
  const devices = pointer(inner ?? spec, 'devices');
  const requests = items(devices, 'requests');
  if (!requests.some((request) => Object.values(request).some(isEmptyList))) return undefined;
  const kept = { devices: { ...devices, requests: requests.map((request) => ({ ...request })) } };
  return {
    ...object,
    spec: inner ? { ...spec, spec: { ...inner, ...kept } } : { ...spec, ...kept },
  };
}

/** Converts the devices of a ResourceSlice; changes it. */
export function convertSlice(object: JsonObject, { from, to }: Step): undefined {
  if (older.has(from) === older.has(to)) return;
  const spec = pointer(object, 'spec');
  const devices = items(spec, 'devices');
  if (!spec || devices.length === 0) return;
  spec['devices'] = devices.map(({ name, basic, ...fields }) =>
    older.has(to) ? { name, basic: fields } : { name, ...(basic as JsonObject | undefined) },
  );
}

function convertRequests(spec: JsonObject | undefined, { from, to }: Step): undefined {
  const devices = pointer(spec, 'devices');
  if (!devices || older.has(from) === older.has(to)) return;
  if (devices['requests'] === undefined) return;
  const convert = older.has(to) ? flattenRequest : nestRequest;
  devices['requests'] = items(devices, 'requests').map(convert);
}

function flattenRequest({ exactly, ...request }: JsonObject): JsonObject {
  return { ...request, ...(exactly as JsonObject | undefined) };
}

// A request with alternatives has no exact request, since it contains nothing else.
function nestRequest({ name, firstAvailable, ...exactly }: JsonObject): JsonObject {
  const isSet = Object.values(exactly).some((value) => typeof value === 'object' || isSaid(value));
  return { name, firstAvailable, ...(isSet ? { exactly } : {}) };
}

function isSaid(value: unknown): boolean {
  return typeof value === 'boolean' || !isEmpty(value);
}
