import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { Judgement, KnownDifference } from '@kubeadmit/difference';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { DifferenceCode, DifferenceNote } from './notes/difference-notes.ts';

type Explains = KnownDifference['explains'];
type Sides = Parameters<Explains>[1];

// `pkg/kubeapiserver/admission/exclusion`
const reviewGroups: ReadonlySet<string> = new Set([
  'authentication.k8s.io',
  'authorization.k8s.io',
]);
const admissionGroup = 'admissionregistration.k8s.io';

/**
 * The test of each difference, which decides whether it explains a single request. Most tests remove the cause from
 * the request: if both sides then agree, the cause is the only reason for the difference.
 */
const byCode: Readonly<Record<DifferenceCode, Explains>> = {
  order: isOfOrder,
  roles: isStricter,
  overrides: isOfAction,
  everyKind: ({ resource }) =>
    (resource?.group === admissionGroup && /admissionpolic/.test(String(resource.resource))) ||
    (reviewGroups.has(String(resource?.group)) && /reviews$/.test(String(resource?.resource))),
  lastElement: isBetweenElements,
  firstElement: isBetweenElements,
  jobAnnotations: (request, _, differsFor) =>
    request.kind?.kind === 'CronJob' &&
    !differsFor(
      changed(request, (key, value) =>
        key === 'annotations' && isObject(value)
          ? Object.fromEntries(Object.entries(value).filter(([name]) => !/apparmor/.test(name)))
          : value,
      ),
    ),
  strictUpdates: (request, { old, new: now }, differsFor) =>
    request.operation === 'UPDATE' &&
    rank(now) > rank(old) &&
    !differsFor({ ...request, operation: 'CREATE', oldObject: null } as AdmissionRequest),
  wildcards: (request, _, differsFor) =>
    !differsFor(changed(request, (_key, value) => withoutWildcards(value))),
  severalKeys: (request, _, differsFor) => {
    const names = ['labels', 'annotations'].filter((name) => keysIn(request.object, name) > 1);
    const most = Math.max(0, ...names.map((name) => keysIn(request.object, name)));
    return (
      names.length > 0 &&
      Array.from({ length: most }, (_each, at) => at).every(
        (at) => !differsFor(changed(request, (key, value) => withOneKey(key, value, at))),
      )
    );
  },
  quotedObject: (request, _, differsFor) =>
    !differsFor(changed(request, (key, value) => (key === 'labels' ? undefined : value))),
  refusedPatch: (_, { old, new: now }) =>
    old.allowed &&
    !now.allowed &&
    /^policy '[^']+' with binding '[^']+' denied request: (?:JSON Patch|error applying patch)|strict decoding error/.test(
      now.message ?? '',
    ),
  deletions: ({ operation }, { old, new: now }) => operation === 'DELETE' && rank(old) > rank(now),
  existence: ({ operation }, { old, new: now }) => operation === 'UPDATE' && rank(old) > rank(now),
  // Of an object before that lacks something Kyverno does not know whether it was denied.
  absence: (request, { old, new: now }, differsFor) =>
    request.operation === 'UPDATE' &&
    rank(old) > rank(now) &&
    !differsFor({ ...request, oldObject: request.object ?? null }) &&
    !differsFor({ ...request, operation: 'CREATE', oldObject: null }),
  ignoredBefore: ({ operation }, { old, new: now }) =>
    operation === 'UPDATE' && rank(old) > rank(now),
  lateVariables: (request, _, differsFor) =>
    request.operation === 'UPDATE' &&
    !differsFor({ ...request, operation: 'CREATE', oldObject: null } as AdmissionRequest),
  unquoted: (request, _, differsFor) =>
    !differsFor(
      changed(request, (_key, value) =>
        typeof value === 'string' && mayBeOtherYaml(value) ? 'x' : value,
      ),
    ),
  embedded: (request, _, differsFor) =>
    !differsFor(changed(request, (_key, value) => withoutSyntax(value))),
  spliced: (request, _, differsFor) =>
    !differsFor(changed(request, (_key, value) => withoutSyntax(value))),
  plainSeconds: (request, _, differsFor) =>
    !differsFor(
      changed(request, (_key, value) =>
        typeof value === 'string' && /^[+-]?\d+(?:\.\d*)?$/.test(value) ? `${value}s` : value,
      ),
    ),
};

/** Returns noted differences, each with the test that recognizes it in a request. */
export function knownDifferences(notes: readonly DifferenceNote[]): readonly KnownDifference[] {
  return notes.map(({ code, text }) => ({ reason: text, explains: byCode[code] }));
}

// With any one element of each list alone both sides say the same.
function isBetweenElements(...[request, , differsFor]: Parameters<Explains>): boolean {
  const most = longestList(request.object);
  return (
    most > 1 &&
    Array.from({ length: most }, (_each, at) => at).every(
      (at) =>
        !differsFor(
          changed(request, (_key, value) =>
            Array.isArray(value) && value.length > 1 && value.every(isObject)
              ? value.slice(Math.min(at, value.length - 1)).slice(0, 1)
              : value,
          ),
        ),
    )
  );
}

function isOfOrder(_request: AdmissionRequest, { old, new: now }: Sides): boolean {
  const text = ({ object }: Judgement): string =>
    JSON.stringify(object, (_key, value: unknown) =>
      Array.isArray(value)
        ? value.map((item) => sortedText(item)).sort()
        : isObject(value)
          ? sorted(value)
          : value,
    );
  return old.allowed && now.allowed && text(old) === text(now);
}

function isStricter(_request: AdmissionRequest, { old, new: now }: Sides): boolean {
  return rank(now) > rank(old);
}

function isOfAction(_request: AdmissionRequest, { old, new: now }: Sides): boolean {
  return rank(old) > 0 && rank(now) > 0;
}

// Ranks a result: 0 for allowed, 1 for allowed with a report, and 2 for denied.
function rank({ allowed, audited = [], warnings = [] }: Judgement): number {
  return allowed ? (audited.length + warnings.length > 0 ? 1 : 0) : 2;
}

// Whether YAML may read a text without quotes as something else than itself.
function mayBeOtherYaml(text: string): boolean {
  return !/^[A-Za-z][\w./-]*$/.test(text) || /^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
}

function withoutWildcards(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[*?]/g, 'x') : value;
}

function withoutSyntax(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/["'\\<>&\p{Cc}]|\{\{/gu, 'x') : value;
}

function withOneKey(key: string, value: unknown, at: number): unknown {
  if (!['labels', 'annotations'].includes(key) || !isObject(value)) return value;
  const keys = Object.keys(value);
  const kept = keys[Math.min(at, keys.length - 1)];
  return kept === undefined ? value : { [kept]: value[kept] };
}

function keysIn(value: unknown, name: string): number {
  if (Array.isArray(value)) return Math.max(0, ...value.map((item) => keysIn(item, name)));
  if (!isObject(value)) return 0;
  return Math.max(
    0,
    ...Object.entries(value).map(([key, item]) =>
      key === name && isObject(item) ? Object.keys(item).length : keysIn(item, name),
    ),
  );
}

function longestList(value: unknown): number {
  if (Array.isArray(value)) {
    return Math.max(value.length, ...value.map(longestList));
  }
  return isObject(value) ? Math.max(0, ...Object.values(value).map(longestList)) : 0;
}

// The request with its objects changed from the outside in; `undefined` leaves a member out.
function changed(
  request: AdmissionRequest,
  change: (key: string, value: unknown) => unknown,
): AdmissionRequest {
  const inner = (key: string, value: unknown): unknown => {
    const made = change(key, value);
    if (Array.isArray(made)) return made.map((item) => inner('', item));
    if (!isObject(made)) return made;
    return Object.fromEntries(
      Object.entries(made).flatMap(([name, item]) => {
        const next = ['apiVersion', 'kind'].includes(name) ? item : inner(name, item);
        return next === undefined ? [] : [[name, next] as const];
      }),
    );
  };
  const { object, oldObject } = request;
  return {
    ...request,
    ...(isObject(object) ? { object: inner('', object) } : {}),
    ...(isObject(oldObject) ? { oldObject: inner('', oldObject) } : {}),
  } as AdmissionRequest;
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
}
