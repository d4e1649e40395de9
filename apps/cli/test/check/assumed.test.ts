import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { checkFormats } from '../../src/output/formats/names.ts';
import { runHere } from '../terminal.ts';

const policy = (paramKind: string, matches: string, paramRef: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: hosts}
spec:
${paramKind}  matchConstraints:
${matches}    resourceRules:
    - {apiGroups: [networking.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [ingresses]}
  validations: [{expression: 'false'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: hosts}
spec: {policyName: hosts, validationActions: [Deny]${paramRef}}
`;
const ingress = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
`;
const selected = policy('', '    namespaceSelector: {matchLabels: {env: prod}}\n', '');
const parameter = ', paramRef: {name: hosts, namespace: policy, parameterNotFoundAction: Allow}';
const configured = policy('  paramKind: {apiVersion: v1, kind: ConfigMap}\n', '', parameter);

const told = [
  [
    'a Namespace that is not there',
    selected,
    'Namespace shop is not among the inputs; the selector of the policy hosts on env was assumed not to match; add the Namespace with its labels',
    2,
  ],
  [
    'parameters that are not there',
    configured,
    '1 binding found no parameters, so its policy was not evaluated: hosts',
    0,
  ],
] as const;
// Text and Markdown contain the remarks themselves.
const others = ['text', 'markdown', 'cases'];
const reports = checkFormats.filter((format) => !others.includes(format));
const forms = [['-q'], ...reports.map((format) => ['-o', format])];

// Without the warning, the run would succeed and hide that it evaluated no policy.
test.each(told)('%s: said on standard error beside every other report', (_, text, remark, code) =>
  withFiles({ 'policy.yaml': text, 'ingress.yaml': ingress }, async (folder) => {
    const paths = [`${folder}/policy.yaml`, `${folder}/ingress.yaml`];
    for (const form of forms) {
      const { exitCode, stderr } = await runHere(['check', ...form, ...paths]);
      const warning = expect.stringContaining(`warning: ${remark}\n`);
      expect([form, exitCode, stderr]).toEqual([form, code, warning]);
    }
    for (const format of ['text', 'markdown']) {
      const { stdout, stderr } = await runHere(['check', '-o', format, ...paths]);
      expect(stderr).not.toContain(remark);
      expect(stdout).toContain(`${remark}\n`);
    }
    const strict = await runHere(['check', '-q', '--strict', ...paths]);
    expect([strict.exitCode, strict.stderr]).toEqual([
      2,
      expect.stringContaining(`error: --strict: ${remark}\n`),
    ]);
  }),
);
