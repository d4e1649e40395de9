import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const place = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The folder of the chart. */
export const chart: string = place('../../apps/webhook/chart');

/** The plain manifests that are made of the chart. */
export const plainManifests: string = place('../../apps/webhook/manifests/webhook.yaml');

/** The name and the namespace of the release in all renderings. */
export const release = { name: 'kubeadmit', namespace: 'policies' } as const;

/** Values that the chart is rendered with, by the name of their file. */
export function valuesFiles(): readonly string[] {
  return readdirSync(place('values'))
    .filter((name) => name.endsWith('.yaml'))
    .sort();
}

export function valuesFile(name: string): string {
  return place(`values/${name}`);
}

/** The place of the recorded rendering with the values of a file. */
export function rendering(name: string): string {
  return place(`renderings/${name}`);
}

/** Returns the first line of a rendering, which identifies its sources. */
export function renderingHead(values: string): string {
  return `# Rendered by Helm from ${chartHash(values)}`;
}

/** Returns a hash of the chart and the values; if it changes, the rendering must be updated. */
function chartHash(values: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(chart, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${relative(chart, file)}\n`).update(readFileSync(file));
  return hash.update(readFileSync(valuesFile(values))).digest('hex');
}
