import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restartUnderLoad } from './restarts/run.ts';
import { withApiServer } from './server/api-server.ts';

const USAGE = `usage: SERVER=program restarts [RESTARTS] [secret|folder]

Restarts two webhooks in turn, RESTARTS times (default 20), behind a proxy that follows their readiness, while
clients create objects through a kube-apiserver. The webhooks share their certificate in a Secret (default) or in
a folder. Prints each request that failed.`;

const program = fileURLToPath(new URL('../../../apps/webhook/dist/main.js', import.meta.url));
const clients = 8;
const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: named}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - {expression: "object.metadata.name != 'bad'"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: named}
spec: {policyName: named, validationActions: [Deny]}
`;

const [restarts = '20', certificate = 'secret'] = process.argv.slice(2);
const { SERVER } = process.env;
if (SERVER === undefined || !['secret', 'folder'].includes(certificate)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const { requests, failures } = await withApiServer(SERVER, (server, folder) => {
    const policies = join(folder, 'policies.yaml');
    writeFileSync(policies, policy);
    const common = [
      ...['--policies', policies, '--kubeconfig', server.kubeconfig, '--no-native-policies'],
      ...['--no-own-policies', '--no-kyverno-policies', '--log-allows', '0'],
      ...['--register', 'kubeadmit', '--dns-name', '127.0.0.1', '--shutdown-delay', '3'],
      ...(certificate === 'secret'
        ? ['--certificate-secret', 'default/kubeadmit-tls']
        : ['--self-signed', join(folder, 'tls')]),
    ];
    const replicas = [common, common];
    return restartUnderLoad(server, { program, replicas, restarts: Number(restarts), clients });
  });
  for (const { restart, message } of failures) console.log(`restart ${restart}: ${message}`);
  console.log(`${restarts} restarts, ${requests} requests, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
