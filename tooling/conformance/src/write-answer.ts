import { isObject, type Json, type JsonObject } from './json.ts';

/** Replaces values that differ from one server to the next. */
const ALLOCATED = 'ALLOCATED';

const volatileMetadata: ReadonlySet<string> = new Set([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'managedFields'],
  'selfLink',
]);

/** Fields of a Service that a server allocates. */
const allocatedFields: ReadonlySet<string> = new Set([
  ...['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort'],
]);

/**
 * Returns the answer of `kubeadmit write -`, or of a server, without the values that no two servers share: uids,
 * versions, times, managed fields, allocated addresses and ports, tokens, and random names. Lists that Go writes in map
 * order are sorted.
 */
export function comparableWrite({ id: _, ...answer }: JsonObject): JsonObject {
  const { object, status, warnings, ...rest } = answer;
  return {
    ...rest,
    ...(warnings === undefined ? {} : { warnings: steady(warnings) }),
    ...(status === undefined ? {} : { status: steadyStatus(status) }),
    ...(object === undefined ? {} : { object: steady(withoutVolatile(object)) }),
  };
}

function withoutVolatile(object: Json): Json {
  if (!isObject(object) || !isObject(object['metadata'] ?? null)) return object;
  const metadata = Object.entries(object['metadata'] as JsonObject).filter(
    ([key]) => !volatileMetadata.has(key),
  );
  const known = { ...object, metadata: Object.fromEntries(metadata) };
  if (object['kind'] === 'TokenRequest') return { ...known, status: null };
  return object['kind'] === 'Service' ? withoutAllocated(known) : known;
}

function withoutAllocated(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutAllocated);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isKept = !allocatedFields.has(key) || member === 'None';
      return [key, isKept ? withoutAllocated(member) : ALLOCATED];
    }),
  );
}

function steadyStatus(status: Json): Json {
  if (!isObject(status)) return status;
  const { details, message, metadata: _, ...rest } = status;
  const { uid: _uid, ...known } = isObject(details ?? null) ? (details as JsonObject) : {};
  return {
    ...rest,
    ...(message === undefined ? {} : { message: sortProblems(steady(message)) }),
    ...(details === undefined ? {} : { details: steady(known) }),
  };
}

/** Fields that a server sets to the time of the request. */
const timeFields: ReadonlySet<string> = new Set([
  ...['lastPhaseTransitionTime', 'lastTransitionTime', 'lastUpdateTime', 'timeAdded'],
  'expirationTimestamp',
]);

/** Texts with random parts (the volumes of tokens, the identifiers of objects), and times. */
function steady(value: Json): Json {
  if (typeof value === 'string') {
    return value
      .replaceAll(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-RANDOM')
      .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID');
  }
  if (Array.isArray(value)) return value.map(steady);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isTime = timeFields.has(key) && typeof member === 'string';
      return [key, isTime ? 'TIME' : steady(member)];
    }),
  );
}

/** LimitRanger lists problems in the order of a Go map. */
function sortProblems(message: Json): Json {
  if (typeof message !== 'string') return message;
  return message.replace(/ is forbidden: \[(.*)\]$/s, (_, list: string) => {
    const problems = list.split(/, (?=minimum |maximum |\S+ max limit)/);
    return ` is forbidden: [${problems.sort().join(', ')}]`;
  });
}
