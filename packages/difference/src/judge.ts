import { isObject } from '@kubeadmit/apimachinery';
import { type Chain, type Passage, passRequest } from '@kubeadmit/chain';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { decode, findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { type Shape, structNamed, structOf, structShape } from '@kubeadmit/schemas/types';
import { type BackgroundEffects, backgroundEffects } from './background-effects.ts';
import { isPlausible } from './plausible.ts';
import { withoutMetadata } from './without-metadata.ts';

/** The verdict of a set of policies on a request. */
export interface Judgement extends BackgroundEffects {
  /** Whether the request is let through. */
  readonly allowed: boolean;
  /** Why not. */
  readonly message?: string;
  /** The warnings that the client sees. */
  readonly warnings?: readonly string[];
  /** The audited or reported messages. */
  readonly audited?: readonly string[];
  /** The object after all mutations, where they changed it. */
  readonly object?: unknown;
}

/** How far two judgements have to be the same. */
export type Likeness =
  /** Verdicts, messages, warnings and objects. */
  | 'texts'
  /** Verdicts, audited ones among them, and objects: texts of different engines differ always. */
  | 'verdicts';

/**
 * Returns the results of two chains for a request; undefined if no server accepts the object, whatever the policies say.
 *
 * If only one chain fails, its policies changed the object into one that the server rejects.
 */
export function judgeBoth(
  before: Chain,
  after: Chain,
  request: AdmissionRequest,
): { readonly old: Passage; readonly now: Passage } | undefined {
  const old = passRequest(before, request);
  const now = passRequest(after, request);
  const both = [old, now];
  if (both.every(({ failure }) => failure !== undefined)) return undefined;
  if (both.some(({ isBroken }) => isBroken === true)) return undefined;
  return both.some(lacksNamespace) ? undefined : { old, now };
}

// A namespace that does not exist can be neither updated nor deleted.
function lacksNamespace({ message = '' }: Passage): boolean {
  return message.includes('failed to configure policy: namespaces "');
}

/** A judgement for people and scripts. */
export function judgementOf(passage: Passage): Judgement {
  const { allowed, failure, message = failure, findings, object, patch } = passage;
  const warnings = findings.filter(({ verdict }) => verdict === 'warn');
  const audited = findings.filter(
    ({ verdict }) => verdict === 'audit' || (allowed && verdict === 'error'),
  );
  return {
    allowed,
    ...(message === undefined ? {} : { message }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((each) => each.message ?? '') }),
    ...(audited.length === 0 ? {} : { audited: audited.map((each) => each.message ?? '') }),
    ...(patch.length === 0 || !allowed ? {} : { object }),
    ...(allowed && backgroundEffects(passage)),
  };
}

/** Whether two judgements of one request are not the same. */
export function differ(
  one: Passage,
  other: Passage,
  { likeness, schemas }: { readonly likeness: Likeness; readonly schemas: Schemas },
): boolean {
  if (likeness === 'texts') {
    return sortedText(judgementOf(one)) !== sortedText(judgementOf(other));
  }
  const [verdict, others] = [one, other].map((passage) => verdictOf(passage, schemas));
  if (verdict !== others) {
    const isReported = verdict === 'deny' && others === 'audit';
    return !(isReported && failsAlone(one) && failsAlone(other));
  }
  if (verdict === 'deny') return false;
  const [effects, otherEffects] = [one, other].map(backgroundEffects);
  if (sortedText(effects) !== sortedText(otherEffects)) return true;
  if (one.patch.length === 0 && other.patch.length === 0) return false;
  const [stored, otherStored] = [one, other].map((passage) =>
    sortedText(withoutImageNotes(storedObject(passage, schemas))),
  );
  return stored !== otherStored;
}

/** An object without the annotations in which rules of Kyverno, but not policies, note verified images. */
function withoutImageNotes(object: unknown): unknown {
  return isObject(object)
    ? withoutMetadata(object, 'annotations', /^kyverno\.io\/verify-images/)
    : object;
}

// Kyverno blocks a request for an error in a rule that only reports; an admission policy reports the error.
function failsAlone({ findings }: Passage): boolean {
  const verdicts = findings.map(({ verdict }) => verdict);
  return verdicts.includes('error') && !verdicts.includes('deny');
}

// An object that a mutation broke is refused in the end, too.
function verdictOf(
  { allowed, findings, patch, object }: Passage,
  schemas: Schemas,
): 'deny' | 'audit' | 'allow' {
  if (!allowed) return 'deny';
  if (patch.length > 0 && isObject(object) && !isPlausible(object, schemas)) return 'deny';
  // A binding that only reports reports errors too; Kyverno's errors count where they do not block.
  const isReported = ({ verdict, binding }: Passage['findings'][number]): boolean =>
    verdict === 'audit' || verdict === 'warn' || (verdict === 'error' && binding !== undefined);
  return findings.some(isReported) ? 'audit' : 'allow';
}

/**
 * The object as a server stores it: the server applies its defaults again to objects that Kyverno policies changed.
 */
export function storedObject({ object }: Passage, schemas: Schemas): unknown {
  const stored = decode(schemas, object).object ?? object;
  return withoutEmpty(stored, rootShape(stored, schemas), schemas);
}

function rootShape(object: unknown, schemas: Schemas): Shape | undefined {
  if (!isObject(object)) return undefined;
  const [version = '', group = ''] = String(object['apiVersion']).split('/').reverse();
  const resource = findResourceOfKind(schemas, { group, version, kind: String(object['kind']) });
  const struct = resource && structOf(schemas, resource)?.name;
  return struct === undefined ? undefined : structShape(struct);
}

// A server keeps no empty lists and maps of fields that may be left out.
function withoutEmpty(value: unknown, shape: Shape | undefined, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, shape?.element, schemas));
  if (!isObject(value)) return value;
  const { struct } = shape ?? {};
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const field = struct === undefined ? undefined : structNamed(schemas, struct)?.byName.get(key);
    const inner = field?.shape ?? shape?.element;
    const isCollection = field?.shape.kind === 'list' || field?.shape.kind === 'map';
    const isEmpty = typeof item === 'object' && item !== null && Object.keys(item).length === 0;
    if (field?.omitEmpty === true && isCollection && isEmpty) return [];
    return [[key, withoutEmpty(item, inner, schemas)] as const];
  });
  return Object.fromEntries(kept);
}

// The order of keys is not a difference.
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
