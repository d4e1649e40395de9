import { expect, test } from 'vitest';
import { startLocalServer } from './local-server.ts';

// kube-apiserver 1.37.1 gives taints that a policy added the time of the request, too.

const group = '/apis/admissionregistration.k8s.io/v1';

const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'taints' },
  spec: {
    reinvocationPolicy: 'Never',
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['resource.k8s.io'],
          apiVersions: ['v1'],
          operations: ['CREATE'],
          resources: ['resourceslices'],
        },
      ],
    },
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression:
            '[JSONPatch{op: "add", path: "/spec/devices/0/taints", value: [Object.spec.devices.taints{key: "a", effect: "NoSchedule"}]}]',
        },
      },
    ],
  },
};

const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: 'taints' },
  spec: { policyName: 'taints' },
};

const slice = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'a' },
  spec: {
    driver: 'd.example.com',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    nodeName: 'n',
    devices: [{ name: 'd' }],
  },
};

test('a taint that a policy adds is of the time of the request', async () => {
  const { ask, server, pass } = await startLocalServer();
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const text = JSON.stringify(body);
    return ask({ method: 'POST', path, headers, as: 'admin', body: text });
  };
  try {
    await post(`${group}/mutatingadmissionpolicies`, policy);
    await post(`${group}/mutatingadmissionpolicybindings`, binding);
    pass(3_600_000);
    const answer = await post('/apis/resource.k8s.io/v1/resourceslices', slice);
    const { metadata, spec } = JSON.parse(answer.text);
    expect(spec.devices[0].taints).toEqual([
      { key: 'a', effect: 'NoSchedule', timeAdded: metadata.creationTimestamp },
    ]);
  } finally {
    await server.close();
  }
});
