import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { annotationsOf } from '@kubeadmit/apimachinery/internal';
import { compareText } from '@kubeadmit/go/internal';

/** Returns the newest of the classes that an annotation marks as default; of equally old ones the first by name. */
export function defaultClass(
  classes: readonly KubernetesObject[],
  annotations: readonly string[],
): KubernetesObject | undefined {
  const marked = classes.filter((each) => {
    const own = annotationsOf(each);
    return annotations.some((name) => Object.hasOwn(own, name) && own[name] === 'true');
  });
  return marked.sort(
    (a, b) =>
      compareText(createdAt(b), createdAt(a)) ||
      compareText(metadataString(a, 'name'), metadataString(b, 'name')),
  )[0];
}

function createdAt(object: KubernetesObject): string {
  return metadataString(object, 'creationTimestamp');
}
