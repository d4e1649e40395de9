// Writes many manifests and policies that all of them concern, to measure `kubeadmit check` with.
//
//   node bench/many.js FOLDER [MANIFESTS [POLICIES [kyverno]]]
//
// FOLDER/manifests holds a file for each manifest, FOLDER/manifests.yaml all of them in one stream, FOLDER/policies the
// policies: native ones with their bindings, with `kyverno` the same number of Kyverno's rules instead.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, manifestCount = '10000', policyCount = '50', language = 'native'] =
  process.argv.slice(2);
if (folder === undefined) throw new Error('name a folder');

const containers = 'object.spec.template.spec.containers';
const expressions = [
  (n) => `${containers}.all(c, c.image.startsWith('registry.example.com/') || c.name == 'x${n}')`,
  (n) => `object.spec.replicas <= ${50 + n}`,
  (n) =>
    `${containers}.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits) || object.metadata.name == 'x${n}'`,
  (n) =>
    `!has(object.spec.template.spec.hostNetwork) || !object.spec.template.spec.hostNetwork || ${n} < 0`,
  (n) =>
    `has(object.metadata.labels) && 'team' in object.metadata.labels && size(object.metadata.labels.team) < ${20 + n}`,
  (n) => `${containers}.all(c, !c.image.endsWith(':latest${n}'))`,
  (n) =>
    `${containers}.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged) || object.spec.replicas > ${1000 + n}`,
  (n) =>
    `!has(object.spec.template.spec.volumes) || object.spec.template.spec.volumes.all(v, !has(v.hostPath) || v.name == 'x${n}')`,
  (n) => `object.metadata.name.matches('^[a-z][a-z0-9-]{0,${40 + n}}$')`,
  (n) =>
    `quantity('${n + 1}Gi').isGreaterThan(quantity('1Mi')) && ${containers}.all(c, quantity(c.resources.limits.memory).isLessThan(quantity('${n + 4}Gi')))`,
];

const patterns = [
  () => ({ spec: { template: { spec: { containers: [{ image: 'registry.example.com/*' }] } } } }),
  (n) => ({ spec: { replicas: `<${51 + n}` } }),
  () => ({
    spec: { template: { spec: { containers: [{ resources: { limits: { memory: '?*' } } }] } } },
  }),
  () => ({ spec: { template: { spec: { '=(hostNetwork)': 'false' } } } }),
  () => ({ metadata: { labels: { team: '?*' } } }),
  (n) => ({ spec: { template: { spec: { containers: [{ image: `!*:latest${n}` }] } } } }),
  () => ({
    spec: {
      template: { spec: { containers: [{ '=(securityContext)': { '=(privileged)': 'false' } }] } },
    },
  }),
  () => ({ spec: { template: { spec: { '=(volumes)': [{ 'X(hostPath)': 'null' }] } } } }),
  () => ({ metadata: { name: 'a*' } }),
  (n) => ({
    spec: {
      template: { spec: { containers: [{ resources: { limits: { memory: `<${n + 4}Gi` } } }] } },
    },
  }),
];

const native = (n) => {
  const name = `policy-${n}`;
  const group = 'admissionregistration.k8s.io/v1';
  const rule = {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['deployments'],
  };
  const expression = expressions[n % expressions.length](n);
  return [
    {
      apiVersion: group,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression, message: `what policy ${n} asks for` }],
      },
    },
    {
      apiVersion: group,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
};

const kyverno = (n) => [
  {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: `policy-${n}` },
    spec: {
      background: false,
      rules: [
        {
          name: 'rule',
          match: { any: [{ resources: { kinds: ['Deployment'] } }] },
          validate: {
            failureAction: 'Enforce',
            message: `what policy ${n} asks for`,
            pattern: patterns[n % patterns.length](n),
          },
        },
      ],
    },
  },
];

// One in ten manifests breaks a rule or two.
const manifest = (n) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${n % 10 === 3 ? 'b' : 'a'}pp-${n}
  namespace: shop-${n % 20}
  labels:
    app: app-${n}
    team: team-${n % 7}
  annotations:
    example.com/owner: "team ${n % 7}"
spec:
  replicas: ${n % 10 === 7 ? 70 : 1 + (n % 5)}
  selector:
    matchLabels:
      app: app-${n}
  template:
    metadata:
      labels:
        app: app-${n}
        team: team-${n % 7}
    spec:
      serviceAccountName: app
      securityContext:
        runAsNonRoot: true
      containers:
        - name: app
          image: ${n % 10 === 5 ? 'docker.io' : 'registry.example.com'}/shop/app:1.${n % 30}.0
          ports:
            - containerPort: 8080
              name: http
          env:
            - name: LOG_LEVEL
              value: info
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
        - name: proxy
          image: registry.example.com/mesh/proxy:2.${n % 9}.1
          args: ["--port", "9090"]
          resources:
            limits:
              memory: 64Mi
      volumes:
        - name: cache
          emptyDir: {}
`;

const make = language === 'kyverno' ? kyverno : native;
mkdirSync(join(folder, 'policies'), { recursive: true });
for (let n = 0; n < Number(policyCount); n++) {
  const documents = make(n).map((each) => `${JSON.stringify(each, null, 2)}\n`);
  writeFileSync(join(folder, 'policies', `policy-${n}.yaml`), documents.join('---\n'));
}
const all = [];
for (let n = 0; n < Number(manifestCount); n++) {
  const below = join(folder, 'manifests', `shop-${n % 20}`);
  if (n < 20) mkdirSync(below, { recursive: true });
  writeFileSync(join(below, `app-${n}.yaml`), manifest(n));
  all.push(manifest(n));
}
writeFileSync(join(folder, 'manifests.yaml'), all.join('---\n'));
