import { readFileSync } from 'node:fs';
import { admit, loadCluster } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';

/** A case for every version of kube-apiserver (`tooling/admission`, `versions`). */
interface ServerCase {
  readonly id: string;
  /** A policy or binding that is created. */
  readonly create?: KubernetesObject;
  readonly resources?: readonly KubernetesObject[];
  readonly request?: AdmissionRequest;
}

/** A refusal of a creation or a denial of a request; neither without a message. */
interface ServerAnswer {
  readonly id: string;
  readonly message?: string | undefined;
  readonly warnings?: readonly string[];
}

/**
 * The known gaps: differing verdicts with their reasons, and the number of messages that differ between versions.
 */
interface KnownGaps {
  readonly verdicts: Readonly<Record<string, string>>;
  readonly otherTexts: Readonly<Record<string, number>>;
}

const folder = new URL('../servers/', import.meta.url);
const cases = new Map(
  readLines<ServerCase>(new URL('cases.ndjson', folder)).map((each) => [each.id, each]),
);
const gaps = JSON.parse(readFileSync(new URL('known-gaps.json', folder), 'utf8')) as KnownGaps;

test.each(Object.entries(gaps.otherTexts))(
  'kube-apiserver %s decides alike',
  async (version, otherTexts) => {
    const schemas = await loadSchemas({ version });
    const wrong: string[] = [];
    let texts = 0;
    for (const answer of readLines<ServerAnswer>(new URL(`${version}.ndjson`, folder))) {
      const own = answerOf(answer.id, version, schemas);
      const isSame = JSON.stringify(verdictOf(own)) === JSON.stringify(verdictOf(answer));
      const isGap = `${version} ${answer.id}` in gaps.verdicts;
      if (isSame === isGap) wrong.push(`${answer.id}: ${own.message} and not ${answer.message}`);
      if (isSame && own.message !== answer.message) texts++;
    }
    expect(wrong).toEqual([]);
    expect(texts).toBe(otherTexts);
  },
);

function verdictOf({ message, warnings = [] }: ServerAnswer): object {
  return { isRefused: message !== undefined, warnings };
}

function answerOf(id: string, version: string, schemas: Schemas): ServerAnswer {
  const { create, resources = [], request } = cases.get(id) ?? {};
  const cluster = loadCluster({
    resources: create === undefined ? resources : [create],
    schemas,
    kubernetesVersion: version,
    onErrors: 'report',
  });
  if (create !== undefined) return { id, message: cluster.errors[0]?.message };
  const outcome = admit(cluster, request as AdmissionRequest);
  if (outcome.failure !== undefined) throw new Error(`${id}: ${outcome.failure}`);
  const { status, warnings = [] } = outcome.response;
  return { id, message: status?.message, warnings };
}
