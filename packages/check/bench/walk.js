// Which files a check walks through, step by step, by V8's precise coverage:
// pnpm exec tsx --conditions=@kubeadmit/source packages/check/bench/walk.js
import { Session } from 'node:inspector/promises';
import { Checker, loadCheck, prepareCheck } from '@kubeadmit/check';
import { readManifests, Source } from '@kubeadmit/manifest';

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations: [{expression: object.spec.replicas <= 5, message: too many}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;

function deployment(name) {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 9
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'registry.local/web:1'}]}
`;
}

function read(name, text, role) {
  const { manifests } = readManifests(new Source(name, text));
  return manifests.map((manifest) => ({ manifest, role }));
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

// Top-level code that runs when a file is loaded does not count as a function.
function isAsked({ functionName, ranges: [{ startOffset, count }] }) {
  return count > 0 && (functionName !== '' || startOffset > 0);
}

/** Prints how many files of each package had a function run since the step before. */
async function take(step) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result.flatMap(({ url, functions }) => {
    const [, name] = /packages\/([\w-]+)\/src\//.exec(url) ?? [];
    return name !== undefined && functions.some(isAsked) ? [name] : [];
  });
  const parts = [...new Set(files)].sort().map((name) => {
    return `${name} ${files.filter((each) => each === name).length}`;
  });
  console.log(`${step}: ${files.length} (${parts.join(', ')})`);
}

await take('start');
const given = [
  ...read('policy.yaml', policy, 'policies'),
  ...read('web.yaml', deployment('web'), 'resources'),
  ...read('shop.yaml', deployment('shop'), 'resources'),
];
await take('read');
const settings = { namespace: 'default', user: { name: 'kubernetes-admin' } };
const check = await prepareCheck(given, settings, (problem) => console.error(problem));
await take('prepare');
const loaded = await loadCheck(check, { clock: Date.now });
await take('load');
const checker = new Checker(loaded);
for (const [at, request] of check.requests.entries()) {
  if (checker.check(request).allowed) throw new Error('the policy has to deny');
  await take(`request ${at + 1}`);
}
checker.report(check, loaded);
await take('report');
