/** Expressions like those of published admission policies, to be evaluated over {@link variables}. */
export const expressions: readonly string[] = [
  'object.spec.replicas <= 5',
  'object.spec.replicas >= params.minReplicas && object.spec.replicas <= params.maxReplicas',
  "has(object.metadata.labels) && 'app.kubernetes.io/name' in object.metadata.labels",
  "['app', 'team', 'cost-center'].all(key, key in object.metadata.labels)",
  "object.metadata.labels.all(key, key.startsWith('internal.') || key.matches('^[a-z0-9./-]+$'))",
  'object.spec.template.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.runAsNonRoot) && c.securityContext.runAsNonRoot == true)',
  '!has(object.spec.template.spec.hostNetwork) || !object.spec.template.spec.hostNetwork',
  '!has(object.spec.template.spec.volumes) || object.spec.template.spec.volumes.all(v, !has(v.hostPath))',
  "object.spec.template.spec.containers.all(c, c.image.contains(':') && !c.image.endsWith(':latest'))",
  "object.spec.template.spec.containers.all(c, ['registry.example.com/', 'gcr.io/distroless/'].exists(prefix, c.image.startsWith(prefix)))",
  "object.spec.template.spec.containers.all(c, c.image.matches('^registry\\\\.example\\\\.com/.+@sha256:[a-f0-9]{64}$') || c.image.startsWith('registry.example.com/'))",
  'object.spec.template.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && has(c.resources.limits.memory) && has(c.resources.limits.cpu))',
  "object.spec.template.spec.containers.all(c, quantity(c.resources.limits.memory).compareTo(quantity('2Gi')) <= 0)",
  'object.spec.template.spec.containers.all(c, has(c.livenessProbe) && has(c.readinessProbe))',
  'object.spec.template.spec.containers.filter(c, has(c.securityContext) && has(c.securityContext.privileged) && c.securityContext.privileged).size() == 0',
  "object.spec.template.spec.containers.all(c, !has(c.securityContext.capabilities) || !has(c.securityContext.capabilities.add) || c.securityContext.capabilities.add.all(cap, cap in ['NET_BIND_SERVICE']))",
  "object.spec.template.spec.containers.all(c, has(c.securityContext.capabilities) && has(c.securityContext.capabilities.drop) && 'ALL' in c.securityContext.capabilities.drop)",
  '(object.spec.template.spec.containers + (has(object.spec.template.spec.initContainers) ? object.spec.template.spec.initContainers : [])).all(c, c.imagePullPolicy == "Always" || c.imagePullPolicy == "IfNotPresent")',
  'oldObject == null || object.spec.selector == oldObject.spec.selector',
  "oldObject == null || object.metadata.annotations['example.com/owner'] == oldObject.metadata.annotations['example.com/owner']",
  "request.userInfo.groups.exists(g, g == 'system:masters') || request.operation == 'CREATE'",
  "request.userInfo.username.startsWith('system:serviceaccount:') == false",
  "object.metadata.?annotations[?'example.com/ttl'].orValue('1h') != ''",
  'object.spec.template.spec.containers.map(c, c.name).isSorted() || object.spec.template.spec.containers.size() < 10',
  'object.spec.template.spec.containers.map(c, c.ports).all(ports, ports.all(p, p.containerPort > 1024 || p.containerPort in [80, 443]))',
  'object.metadata.name.size() <= 40 && object.metadata.name.lowerAscii() == object.metadata.name',
  "'container ' + object.spec.template.spec.containers[0].name + ' has image ' + object.spec.template.spec.containers[0].image",
  "object.spec.template.spec.containers.all(c, !has(c.env) || c.env.all(e, !(e.name in ['AWS_SECRET_ACCESS_KEY', 'PASSWORD']) || has(e.valueFrom)))",
  "object.spec.strategy.type == 'RollingUpdate' ? object.spec.strategy.rollingUpdate.maxUnavailable != '100%' : true",
  'object.spec.template.metadata.labels == object.spec.selector.matchLabels || object.spec.selector.matchLabels.all(k, k in object.spec.template.metadata.labels)',
  "object.spec.template.spec.containers.exists_one(c, c.name == 'web')",
  "has(object.spec.template.spec.serviceAccountName) && object.spec.template.spec.serviceAccountName != 'default'",
];

function container(name: string, image: string, port: number): object {
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ containerPort: port, protocol: 'TCP' }],
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
    ],
    resources: {
      limits: { cpu: '500m', memory: '512Mi' },
      requests: { cpu: '100m', memory: '128Mi' },
    },
    livenessProbe: { httpGet: { path: '/healthz', port }, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port }, periodSeconds: 5 },
    securityContext: {
      runAsNonRoot: true,
      privileged: false,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
    },
  };
}

function deployment(replicas: number): object {
  const labels = {
    app: 'shop',
    team: 'checkout',
    'cost-center': 'c42',
    'app.kubernetes.io/name': 'shop',
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'shop-frontend',
      namespace: 'shop',
      labels,
      annotations: { 'example.com/owner': 'checkout@example.com' },
    },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'shop', team: 'checkout' } },
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
      },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: 'shop',
          containers: [
            container('web', 'registry.example.com/shop/web:1.27.3', 8080),
            container('proxy', 'registry.example.com/infra/proxy:2.1.0', 8443),
            container('metrics', 'gcr.io/distroless/metrics:v0.9.1', 9090),
          ],
          initContainers: [container('migrate', 'registry.example.com/shop/migrate:1.27.3', 8081)],
          volumes: [
            { name: 'tmp', emptyDir: {} },
            { name: 'config', configMap: { name: 'shop' } },
          ],
        },
      },
    },
  };
}

/** The values of the variables. */
export const variables: Readonly<Record<string, unknown>> = {
  object: deployment(3),
  oldObject: deployment(2),
  params: { minReplicas: 2, maxReplicas: 10 },
  request: {
    operation: 'UPDATE',
    userInfo: { username: 'alice@example.com', groups: ['developers', 'system:authenticated'] },
  },
};
