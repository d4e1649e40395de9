import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { admit, loadCluster } from '../../src/index.ts';
import { loadPlugins } from '../../src/load-plugins.ts';

/** A request with the answer of a kube-apiserver 1.37 (`record-writes` of tooling/admission). */
interface Case {
  readonly resources: readonly KubernetesObject[];
  readonly request: AdmissionRequest;
  /** The message of a denial. */
  readonly message?: string;
  readonly warnings?: readonly string[];
}

const file = new URL('server-answers.ndjson', import.meta.url);
const cases = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);
const schemas = await loadSchemas({ version: '1.37' });
const plugins = await loadPlugins({
  plugins: ['LimitRanger', 'PodSecurity', 'ResourceQuota'],
  minor: 37,
});

test.each(cases)('case %# is answered as by a server: $message', async (each) => {
  const cluster = await loadCluster({ resources: each.resources, schemas, plugins });
  const outcome = admit(cluster, { uid: 'a', ...each.request });
  if ('failure' in outcome) throw new Error(outcome.failure);
  const { response } = outcome;
  const message = response.allowed ? undefined : response.status?.message;
  expect(sorted(message)).toBe(each.message);
  expect(response.warnings ?? []).toEqual(each.warnings ?? []);
});

/** A server lists the problems of a LimitRange in random order. */
function sorted(message: string | undefined): string | undefined {
  return message?.replace(/\[(.*)\]$/, (_, list: string) => {
    const problems = list.split(/, (?=minimum |maximum |\S+ max limit)/);
    return `[${problems.sort().join(', ')}]`;
  });
}
