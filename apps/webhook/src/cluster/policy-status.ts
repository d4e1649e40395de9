import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { checkTypes, type ValidatingPolicy } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import type { Log } from '../logging/log.ts';
import { asNative, ownGroup } from '../policies/policy-groups.ts';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

const resource = `/apis/${ownGroup}/v1/validatingadmissionpolicies`;
const forbidden = 403;
// A policy that was deleted or changed in between is handled again later.
const passing = [404, 409];

/**
 * Writes the warnings of the type checker into the status of policies of our own group.
 *
 * kube-apiserver's controller does the same for its policies (`status.typeChecking`, `status.observedGeneration`).
 */
export class PolicyStatus {
  readonly #client: ApiClient;
  readonly #log: Log;
  #isForbidden = false;

  constructor(client: ApiClient, log: Log) {
    this.#client = client;
    this.#log = log;
  }

  /** Writes the status of policies that have changed since. Never rejects. */
  async write(objects: Iterable<KubernetesObject>, schemas: Schemas): Promise<void> {
    for (const object of objects) {
      if (this.#isForbidden) return;
      if (isDue(object)) await this.#writeOne(object, schemas);
    }
  }

  async #writeOne(object: KubernetesObject, schemas: Schemas): Promise<void> {
    const warnings = checkTypes(asNative(object) as ValidatingPolicy, schemas);
    const expressionWarnings = warnings.map(({ fieldRef, warning }) => ({ fieldRef, warning }));
    const status = {
      observedGeneration: generationOf(object),
      // In a merge patch, null removes the warnings of an earlier generation.
      typeChecking: { expressionWarnings: warnings.length === 0 ? null : expressionWarnings },
    };
    try {
      await this.#client.ask(`${resource}/${metadataString(object, 'name')}/status`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: JSON.stringify({ status }),
      });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : -1;
      this.#isForbidden = code === forbidden;
      if (passing.includes(code)) return;
      this.#log.warn({ problem: String(error) }, 'cannot write the status of a policy');
    }
  }
}

function isDue(object: KubernetesObject): boolean {
  return (
    object['kind'] === 'ValidatingAdmissionPolicy' &&
    String(object['apiVersion']).startsWith(`${ownGroup}/`) &&
    member(member(object, 'status'), 'observedGeneration') !== generationOf(object)
  );
}

function generationOf(object: KubernetesObject): unknown {
  return member(member(object, 'metadata'), 'generation');
}
