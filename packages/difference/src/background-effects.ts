import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Passage } from '@kubeadmit/chain';
import { identityOf, identityText } from '@kubeadmit/chain/kyverno-resources';
import { withoutMetadata } from './without-metadata.ts';

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
  const generated = [...new Map(objects.map((object) => [keyOf(object), object])).values()];
  const isDeleted = findings.some(({ verdict }) => verdict === 'delete');
  return {
    ...(generated.length > 0 && { generated: generated.sort(byKey) }),
    ...(isDeleted && { deleted: true }),
  };
}

const ofOrigin = /^(?:generate\.kyverno\.io\/|app\.kubernetes\.io\/managed-by$)/;

/** Each kind of policy labels its objects with its own name and the trigger in another way. */
function withoutOrigin(object: JsonObject): JsonObject {
  return withoutMetadata(object, 'labels', ofOrigin);
}

function byKey(one: JsonObject, other: JsonObject): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function keyOf(object: JsonObject): string {
  return identityText(identityOf(object));
}
