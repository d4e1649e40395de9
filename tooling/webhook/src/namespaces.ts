import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Lag, measureNamespaceLag } from './namespaces/lag.ts';
import { Replica } from './restarts/replica.ts';
import { withApiServer } from './server/api-server.ts';

const USAGE = `usage: SERVER=program namespaces [ROUNDS] [watch|live]

Creates a Namespace, or labels one, and at once creates an object that a policy with a namespaceSelector denies;
ROUNDS times (default 500) each, with a native policy and with the webhook. Prints how many objects were accepted.`;

const port = 19_443;
const program = fileURLToPath(new URL('../../../apps/webhook/dist/main.js', import.meta.url));

// Only the policy of the webhook without a selector keeps kube-apiserver from selecting namespaces itself.
const policies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guarded}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {guarded: webhook}}
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - {expression: "false"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guarded}
spec: {policyName: guarded, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: everywhere}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - {expression: "object.metadata.name != 'bad'"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: everywhere, validationActions: [Deny]}
`;

const [rounds = '500', lookup = 'watch'] = process.argv.slice(2);
const { SERVER } = process.env;
if (SERVER === undefined || !['watch', 'live'].includes(lookup)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const lags = await withApiServer(SERVER, async (server, folder) => {
    const file = join(folder, 'policies.yaml');
    writeFileSync(file, policies);
    const webhook = new Replica(program, [
      ...['--policies', file, '--kubeconfig', server.kubeconfig, '--no-native-policies'],
      ...['--no-own-policies', '--no-kyverno-policies', '--log-allows', '0'],
      ...['--register', 'kubeadmit', '--dns-name', '127.0.0.1', '--namespace-lookup', lookup],
      ...['--self-signed', join(folder, 'tls')],
      ...['--webhook-url', `https://127.0.0.1:${port}`, '--listen', `127.0.0.1:${port}`],
    ]);
    await webhook.start();
    try {
      return await measureNamespaceLag(server, Number(rounds));
    } finally {
      await webhook.stop();
    }
  });
  for (const lag of lags) console.log(lineOf(lag));
}

function lineOf({ side, change, rounds: made, accepted }: Lag): string {
  return `${side}, ${change}: ${accepted} of ${made} accepted`;
}
