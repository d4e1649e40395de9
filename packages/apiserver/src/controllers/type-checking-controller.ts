import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { checkTypes, type ValidatingPolicy } from '@kubeadmit/engine';
import type { ApiClient } from '../http/api-client.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';

const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const manager = 'validatingadmissionpolicy-status';

/** Writes the type checker's result into the status of a policy (controller `validatingadmissionpolicy-status`). */
export async function reconcilePolicyStatus(
  { cluster }: Machinery,
  client: ApiClient,
  policy: KubernetesObject,
): Promise<undefined> {
  const { generation } = metadataOf(policy);
  if (member(member(policy, 'status'), 'observedGeneration') === generation) return;
  const warnings = checkTypes(policy as ValidatingPolicy, cluster.schemas);
  const expressionWarnings = warnings.map(({ fieldRef, warning }) => ({ fieldRef, warning }));
  await client.ask({
    method: 'PATCH',
    path: `${path}/${nameOf(policy)}/status?fieldManager=${manager}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: nameOf(policy) },
      status: {
        observedGeneration: generation,
        typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
      },
    },
  });
}
