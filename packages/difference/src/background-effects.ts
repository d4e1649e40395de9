import { isObject, type JsonObject, memberObject, metadataString } from '@kubeadmit/apimachinery';
import type { Passage } from '@kubeadmit/chain';

/** The effects that policies of Kyverno have in the background because of an object. */
export interface BackgroundEffects {
  /** The objects that are generated, without the labels of their origin. */
  readonly generated?: readonly JsonObject[];
  /** Whether a schedule deletes the object. */
  readonly deleted?: true;
}

/** Returns the effects of a request in the background of a cluster; empty if there are none. */
export function backgroundEffects({ findings }: Passage): BackgroundEffects {
  const objects = findings.flatMap((finding) => finding.generated ?? []).map(withoutOrigin);
  // An object that is generated twice is one object in the end.
  const generated = [...new Map(objects.map((object) => [identityOf(object), object])).values()];
  const isDeleted = findings.some(({ verdict }) => verdict === 'delete');
  return {
    ...(generated.length > 0 && { generated: generated.sort(byIdentity) }),
    ...(isDeleted && { deleted: true }),
  };
}

const ofOrigin = /^(?:generate\.kyverno\.io\/|app\.kubernetes\.io\/managed-by$)/;

/** Each kind of policy labels its objects with its own name and the trigger in another way. */
function withoutOrigin(object: JsonObject): JsonObject {
  const { labels, ...metadata } = memberObject(object, 'metadata');
  if (!isObject(labels)) return object;
  const own = Object.entries(labels).filter(([key]) => !ofOrigin.test(key));
  const kept = own.length === 0 ? {} : { labels: Object.fromEntries(own) };
  return { ...object, metadata: { ...metadata, ...kept } };
}

function byIdentity(one: JsonObject, other: JsonObject): number {
  return identityOf(one) < identityOf(other) ? -1 : 1;
}

function identityOf(object: JsonObject): string {
  const { apiVersion, kind } = object;
  const names = ['namespace', 'name'].map((name) => metadataString(object, name as 'name'));
  return [apiVersion, kind, ...names].join(' ');
}
