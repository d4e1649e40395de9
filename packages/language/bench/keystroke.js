// How long an editor waits: `pnpm --filter @kubeadmit/language bench`, on the built packages.
import process from 'node:process';
import { createLanguageService } from '@kubeadmit/language';

const policies = 50;
const rounds = 200;

/** A policy with its binding: 40 lines. */
const policy = (number) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: policy-${number}
  annotations:
    about: replicas and images of workloads
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - apiGroups: ["apps"]
      apiVersions: ["v1"]
      operations: ["CREATE", "UPDATE"]
      resources: ["deployments", "statefulsets"]
  matchConditions:
  - name: not-system
    expression: object.metadata.namespace != 'kube-system'
  variables:
  - name: containers
    expression: object.spec.template.spec.containers
  - name: limit
    expression: "${number + 3}"
  validations:
  - expression: object.spec.replicas <= variables.limit
    messageExpression: "'at most ' + string(variables.limit)"
  - expression: >-
      variables.containers.all(c,
        c.image.startsWith('registry.example.com/') && !c.image.endsWith(':latest'))
    message: images come from our registry
  - expression: variables.containers.all(c, has(c.resources) && has(c.resources.limits))
    reason: Invalid
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: policy-${number}
spec:
  policyName: policy-${number}
  validationActions: [Deny]
`;

const uri = 'file:///policies.yaml';
const text = Array.from({ length: policies }, (_, i) => policy(i)).join('');
const lines = text.split('\n');
const line =
  lines.findIndex((each) => each.includes('object.spec.replicas') && lines.indexOf(each) > 0) +
  44 * 25;
const target = lines.findIndex((each, i) => i >= line && each.includes('object.spec.replicas'));
const start = text.split('\n').slice(0, target).join('\n').length + 1;
const column = (lines[target] ?? '').indexOf('replicas');

function changed(typed) {
  const at = start + column;
  return text.slice(0, at) + typed + text.slice(at + 'replicas'.length);
}

/** The medians of the time on the clock and of the processor; the latter does not depend on the load of the machine. */
async function median(ask) {
  const times = [];
  const own = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const begin = performance.now();
    await ask(round);
    times.push(performance.now() - begin);
    const { user, system } = process.cpuUsage(before);
    own.push((user + system) / 1000);
  }
  const at = (list, part) => list.toSorted((a, b) => a - b)[Math.floor(rounds * part)].toFixed(1);
  return `${at(times, 0.5)} ms (95 %: ${at(times, 0.95)} ms), of the processor ${at(own, 0.5)} ms`;
}

const begin = performance.now();
const service = await createLanguageService();
service.setDocument(uri, text);
await service.diagnostics();
console.log(
  `${lines.length} lines, ${policies} policies; first diagnostics after ${(performance.now() - begin).toFixed(0)} ms`,
);
const word = 'replicasx';
console.log(
  'keystroke to diagnostics:',
  await median(async (round) => {
    service.setDocument(uri, changed(word.slice(0, 2 + (round % 7))));
    await service.diagnostics();
  }),
);
console.log(
  'keystroke to completion: ',
  await median(async (round) => {
    const length = 2 + (round % 7);
    service.setDocument(uri, changed(word.slice(0, length)));
    const items = await service.completion(uri, { line: target, character: column + length });
    if (round === 0 && items.length === 0) throw new Error('nothing was completed');
  }),
);
