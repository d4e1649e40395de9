import { member, memberText } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { MatchedResource } from '@kubeadmit/chain/unstable-internal';
import type { ApiClient } from '../cluster/api-client.ts';

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const verbs = ['get', 'list', 'watch'];
const validMilliseconds = 60_000;

interface Known {
  readonly missing: readonly string[];
  readonly until: number;
}

/** Asks the cluster whether scans may read resources, once a minute for each. */
export class ScanPermissions {
  readonly #client: Pick<ApiClient, 'ask'>;
  readonly #known: Map<string, Known> = new Map();

  constructor(client: Pick<ApiClient, 'ask'>) {
    this.#client = client;
  }

  /**
   * Returns the missing permissions, in Kyverno's words.
   *
   * @throws ApiError if the cluster does not answer
   */
  async missing(resources: readonly MatchedResource[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const resource of resources) missing.push(...(await this.#missingOf(resource)));
    return missing;
  }

  async #missingOf(resource: MatchedResource): Promise<readonly string[]> {
    const text = formatResource(resource);
    const known = this.#known.get(text);
    if (known !== undefined && known.until > performance.now()) return known.missing;
    const missing: string[] = [];
    for (const verb of verbs) {
      const { isAllowed, reason } = await this.#ask(resource, verb);
      if (!isAllowed) missing.push(`${verb} ${text}: ${reason}`);
    }
    this.#known.set(text, { missing, until: performance.now() + validMilliseconds });
    return missing;
  }

  async #ask(
    resource: MatchedResource,
    verb: string,
  ): Promise<{ readonly isAllowed: boolean; readonly reason: string }> {
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { ...resource, verb } },
    };
    const answer = await this.#client.ask(path, { method: 'POST', body: JSON.stringify(review) });
    const status = member(parseJson(answer), 'status');
    return { isAllowed: member(status, 'allowed') === true, reason: memberText(status, 'reason') };
  }
}

// As Go prints a GroupVersionResource.
function formatResource({ group, version, resource }: MatchedResource): string {
  return `${group}/${version}, Resource=${resource}`;
}
