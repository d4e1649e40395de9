import { code, type Page, table } from '../shared/page.ts';
import { readText } from '../shared/repository.ts';

const DECLARED =
  /new (Counter|Gauge|Histogram|Durations)\(\{\s*name: '([^']+)',\s*help: '([^']+)',(?:\s*labelNames: \[([^\]]*)\],)?/g;
const MEASURED = /(?:gaugeOf\(\s*this\.registry,|this\.#gauge\()\s*'([^']+)',\s*'([^']+)'/g;

/** The page with the metrics of the webhook, from their declarations. */
export function metricsPage(): Page {
  const source = ['metrics.ts', 'webhook-metrics.ts']
    .map((file) => readText(`apps/webhook/src/operation/${file}`))
    .join('\n');
  const declared = [...source.matchAll(DECLARED)].map(
    ([, type = '', name = '', help = '', labels = '']) => ({
      type: type === 'Durations' ? 'Histogram' : type,
      name,
      help,
      labels,
    }),
  );
  const measured = [...source.matchAll(MEASURED)].map(([, name = '', help = '']) => ({
    type: 'Gauge',
    name,
    help,
    labels: '',
  }));
  const names = [...source.matchAll(/'((?:kubeadmit|apiserver)_\w+)'/g)].map(([, name]) => name);
  const found = [...declared, ...measured];
  const lost = names.filter((name) => !found.some((metric) => metric.name === name));
  if (lost.length > 0) throw new Error(`metrics that the page does not show: ${lost.join(', ')}`);
  const rows = found
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => [
      code(name),
      type.toLowerCase(),
      labels.replaceAll("'", '').split(/,\s*/).filter(Boolean).map(code).join(', '),
      help,
    ]);
  const markdown = `# Metrics of the webhook

The metrics that the [webhook](./webhook) serves at \`/metrics\`, in addition to the default metrics of \`prom-client\`. Metrics that start with \`apiserver_\` have the names, labels and buckets of kube-apiserver, so its dashboards and alerts work with them.

${table(['metric', 'type', 'labels', 'meaning'], rows)}
`;
  return { path: 'reference/metrics', markdown };
}
