import { formatGroupName, type KubernetesObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import { dropDisabledFields } from '../disabled-fields/drop-disabled-fields.ts';
import type { Endpoint } from './endpoint.ts';
import { changeAlike } from './to-version.ts';

/** Returns an object without the fields of features that are off in a version (`dropDisabledFields` of the strategies). */
export function withoutDisabledFields(
  { minor }: Schemas,
  { isCustom, name, subresource }: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): KubernetesObject {
  if (isCustom) return object;
  const write = {
    resource: formatGroupName(name),
    isStatus: subresource?.name === 'status',
    old,
    minor,
  };
  return changeAlike(object, (form) => dropDisabledFields(form, write));
}
