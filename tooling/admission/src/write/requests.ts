import type { Random } from '@kubeadmit/random';
import { clusterRequests } from './cluster-requests.ts';
import { moreRequests } from './more-requests.ts';
import { type Fields, podSpec } from './pods.ts';
import { updateRequests } from './update-requests.ts';
import { workloadRequests } from './workload-requests.ts';
import {
  creation,
  type MakeRequest,
  type Requests,
  type Stage,
  type WriteRequest,
} from './write-request.ts';

const podRequests: Requests = [
  [
    42,
    ({ random, namespace, number }) =>
      creation(namespace, 'v1', 'pods', 'Pod', {
        metadata: podMetadata(random, namespace, `pod-${number}`),
        spec: podSpec(random),
      }),
  ],
];

function podMetadata(random: Random, namespace: string, name: string): Fields {
  return {
    name,
    namespace,
    ...random.some({
      labels: [0.4, () => ({ app: 'a' })],
      annotations: [
        0.2,
        () => ({
          [random.pick([
            'example.com/note',
            'seccomp.security.alpha.kubernetes.io/pod',
            'container.apparmor.security.beta.kubernetes.io/c0',
          ])]: random.pick(['runtime/default', 'unconfined']),
        }),
      ],
    }),
  };
}

const requests: Requests = [
  ...podRequests,
  ...workloadRequests,
  ...clusterRequests,
  ...updateRequests,
  ...moreRequests,
];

/** Makes a random request that validation accepts. */
export function makeRequest(stage: Stage): WriteRequest {
  for (;;) {
    const request = pickMaker(stage.random)(stage);
    if (request !== undefined) return stage.random.chance(0.06) ? asAlice(request) : request;
  }
}

function pickMaker(random: Random): MakeRequest {
  return random.pick(
    requests.flatMap(([weight, make]) => Array.from({ length: weight }, () => make)),
  );
}

function asAlice(request: WriteRequest): WriteRequest {
  return request.user === undefined
    ? { ...request, user: { username: 'alice', groups: ['developers', 'system:authenticated'] } }
    : request;
}
