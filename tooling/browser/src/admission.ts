import { type AdmissionOutcome, admit, prepareCluster } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';

/** A case of `kubeadmit admit -`. */
export interface AdmissionCase {
  readonly resources: readonly KubernetesObject[];
  readonly request: AdmissionRequest;
}

/** Answers a case given as JSON, as JSON: the whole way that a page or a worker would go. */
export async function decide(text: string): Promise<string> {
  const { resources, request }: AdmissionCase = JSON.parse(text);
  const outcome: AdmissionOutcome = admit(await prepareCluster({ resources }), request);
  return JSON.stringify(outcome);
}
