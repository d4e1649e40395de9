// Times and sizes of the built package: `node bench/measure.mjs` after a build.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const started = performance.now();
const busyFrom = process.cpuUsage();
const { decode, loadSchemas } = await import('@kubeadmit/schemas');
const groupVersions = [
  'v1',
  'apps/v1',
  'batch/v1',
  'networking.k8s.io/v1',
  'rbac.authorization.k8s.io/v1',
];
const schemas = await loadSchemas({ version: '1.37', groupVersions });
const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'registry.example.com/web:1.2.3',
        ports: [{ containerPort: 8080 }],
        env: [
          { name: 'A', value: '1' },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        resources: {
          limits: { cpu: '500m', memory: '256Mi' },
          requests: { cpu: '100m', memory: '128Mi' },
        },
        livenessProbe: { httpGet: { path: '/healthz', port: 8080 } },
        readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
        volumeMounts: [{ name: 'config', mountPath: '/etc/web' }],
        securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
      },
    ],
    volumes: [{ name: 'config', configMap: { name: 'web' } }],
  },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template },
};
const manifests = [
  deployment,
  { ...deployment, kind: 'StatefulSet' },
  { ...deployment, kind: 'DaemonSet' },
  { ...template, apiVersion: 'v1', kind: 'Pod' },
  { apiVersion: 'batch/v1', kind: 'Job', spec: { template } },
  { apiVersion: 'batch/v1', kind: 'CronJob', spec: { jobTemplate: { spec: { template } } } },
  { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
  { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', spec: { rules: [{ host: 'a' }] } },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', rules: [{ verbs: ['get'] }] },
];
for (const manifest of manifests) {
  if (!decode(schemas, manifest).known) throw new Error(`${manifest.kind} is not known`);
}
console.log(
  `first use, ten kinds of one version: ${(performance.now() - started).toFixed(1)} ms (${busy(busyFrom).toFixed(1)} ms of processor)`,
);

/** Returns the CPU milliseconds since a reading, which a busy machine barely changes. */
function busy(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const runs = 20_000;
for (let round = 0; round < 3; round++) {
  const from = performance.now();
  const busyBefore = process.cpuUsage();
  for (let run = 0; run < runs; run++) decode(schemas, deployment);
  console.log(
    `decode of a Deployment: ${(((performance.now() - from) * 1000) / runs).toFixed(1)} µs (${((busy(busyBefore) * 1000) / runs).toFixed(1)} µs of processor)`,
  );
}

/** The size of the files that npm installs: built files, their maps and sources. */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = `${folder}/${entry.name}`;
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
  }, 0);
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

const root = fileURLToPath(new URL('..', import.meta.url));
const scripts = filesOf(`${root}dist`).filter((path) => path.endsWith('.js'));
const zipped = gzipSync(Buffer.concat(scripts.map((path) => readFileSync(path)))).length;
console.log(`installed: ${((sizeOf(`${root}dist`) + sizeOf(`${root}src`)) / 1e6).toFixed(2)} MB`);
console.log(`all scripts with the data of every version: ${(zipped / 1000).toFixed(0)} kB gzip`);
