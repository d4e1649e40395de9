const apiVersion = 'admissionregistration.k8s.io/v1';
const containers =
  '(object.spec.containers + (has(object.spec.initContainers) ? object.spec.initContainers : []))';
const securely = (condition) => `${containers}.all(c, !has(c.securityContext) || (${condition}))`;

// The pod security standards as expressions.
const expressions = [
  '!has(object.spec.hostNetwork) || !object.spec.hostNetwork',
  '!has(object.spec.hostPID) || !object.spec.hostPID',
  '!has(object.spec.hostIPC) || !object.spec.hostIPC',
  securely('!has(c.securityContext.privileged) || !c.securityContext.privileged'),
  securely(
    '!has(c.securityContext.capabilities) || !has(c.securityContext.capabilities.add) || c.securityContext.capabilities.add.all(a, a in ["NET_BIND_SERVICE"])',
  ),
  '!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))',
  `${containers}.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))`,
  securely('!has(c.securityContext.procMount) || c.securityContext.procMount == "Default"'),
  '!has(object.spec.securityContext) || !has(object.spec.securityContext.sysctls) || object.spec.securityContext.sysctls.all(s, s.name in ["net.ipv4.tcp_syncookies"])',
  securely(
    '!has(c.securityContext.allowPrivilegeEscalation) || !c.securityContext.allowPrivilegeEscalation',
  ),
  'has(object.spec.securityContext) && has(object.spec.securityContext.runAsNonRoot) && object.spec.securityContext.runAsNonRoot',
  securely('!has(c.securityContext.runAsUser) || c.securityContext.runAsUser > 0'),
  'has(object.spec.securityContext.seccompProfile) && object.spec.securityContext.seccompProfile.type in ["RuntimeDefault", "Localhost"]',
  securely(
    'has(c.securityContext.capabilities) && has(c.securityContext.capabilities.drop) && "ALL" in c.securityContext.capabilities.drop',
  ),
  `${containers}.all(c, has(c.resources) && has(c.resources.limits) && "memory" in c.resources.limits)`,
  `${containers}.all(c, c.image.contains("@") || !c.image.endsWith(":latest"))`,
];

/** Policies of the pod security standards, with their bindings; each of the 16 again and again. */
export function podSecurityPolicies(count) {
  return Array.from({ length: count }, (_, index) => {
    const expression = expressions[index % expressions.length];
    return policy(`pods-${index}`, { group: '', resource: 'pods' }, expression);
  }).flat();
}

/** The text of a file with objects. */
export function fileOf(objects) {
  return objects.map((object) => JSON.stringify(object)).join('\n');
}

/** Policies about other resources. */
export function unconcernedPolicies(count) {
  return Array.from({ length: count }, (_, index) =>
    policy(
      `others-${index}`,
      { group: `group-${index % 50}.example.com`, resource: `things${index}` },
      'object.spec.size < 3',
    ),
  ).flat();
}

function policy(name, { group, resource }, expression) {
  const rule = {
    apiGroups: [group],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: [resource],
  };
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

/** A pod as kube-apiserver holds it. */
export function pod(name) {
  const container = (each, image, port) => ({
    name: each,
    image,
    ports: [{ containerPort: port, protocol: 'TCP', name: 'http' }],
    env: ['LOG_LEVEL', 'REGION', 'TEAM'].map((key) => ({ name: key, value: `${key} of ${each}` })),
    resources: {
      limits: { cpu: '500m', memory: '256Mi' },
      requests: { cpu: '100m', memory: '64Mi' },
    },
    volumeMounts: [
      { name: 'settings', mountPath: '/etc/settings', readOnly: true },
      { name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
    ],
    livenessProbe: probe('/livez'),
    readinessProbe: probe('/readyz'),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsUser: 1000,
      capabilities: { drop: ['ALL'] },
    },
  });
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      generateName: 'web-7d4b9c6f5-',
      namespace: 'shop',
      uid: '4c1f4b0e-3d3c-4a4e-9d6c-3f6c4f1f0a11',
      creationTimestamp: '2026-11-22T10:00:00Z',
      labels: { app: 'web', team: 'shop', 'pod-template-hash': '7d4b9c6f5' },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web-7d4b9c6f5',
          uid: '5',
          controller: true,
        },
      ],
    },
    spec: {
      volumes: [
        { name: 'settings', configMap: { name: 'settings', defaultMode: 420 } },
        { name: 'token', projected: { sources: [], defaultMode: 420 } },
      ],
      containers: [
        container('web', 'registry.example.com/shop/web:1.25.3', 8080),
        container('proxy', 'registry.example.com/mesh/proxy:2.1.0', 15_001),
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'web',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      schedulerName: 'default-scheduler',
      tolerations: [
        {
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
      ],
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: { phase: 'Pending', qosClass: 'Burstable' },
  };
}

function probe(path) {
  return {
    httpGet: { path, port: 8080, scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  };
}
