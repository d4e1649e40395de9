import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { memberList } from '@kubeadmit/apimachinery/internal';

/** The names of the versions of a definition in which objects are stored: one. */
export function storedVersions(definition: KubernetesObject): readonly unknown[] {
  return memberList(member(definition, 'spec'), 'versions')
    .filter((version) => member(version, 'storage') === true)
    .map((version) => member(version, 'name'));
}
