import { chmodSync, symlinkSync } from 'node:fs';
import process from 'node:process';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { buildKustomization, renderChart } from '../../../src/input/elsewhere/programs.ts';
import { Boundary } from '../../../src/input/local/boundary.ts';
import { SkippedFiles } from '../../../src/input/local/skipped-files.ts';
import { configMap } from './kit.ts';

const printing = `#!${process.execPath}
console.log(${JSON.stringify(configMap)});
`;
const generator = (path: string): string => `apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: x, annotations: {url: "https://example.com/a/b"}}
literals: ["url=https://example.com/a/b"]
files: ["k=${path}"]
`;
const inline = (yaml: string): string => `- |\n  ${yaml.trimEnd().replaceAll('\n', '\n  ')}\n`;
const local = 'http://127.0.0.1:8080/secret';
const fetches = (path: string): string => `this kustomization fetches ${path};`;
const outside = 'leads outside the repository';
const isInvalid = 'kustomize runs on valid files only';

interface Kustomization {
  readonly files: Readonly<Record<string, string>>;
  /** Links by their names, and the places that they lead to. */
  readonly links?: Readonly<Record<string, string>>;
  /** The start of the error; absent where kustomize runs. */
  readonly error?: string;
}

const cases: Readonly<Record<string, Kustomization>> = {
  'fetches a file of an inline generator': {
    files: { 'kustomization.yaml': `generators:\n${inline(generator(local))}` },
    error: fetches(local),
  },
  'fetches a file of a generator in a file': {
    files: { 'kustomization.yaml': 'generators: [g.yaml]', 'g.yaml': generator(local) },
    error: fetches(local),
  },
  'fetches a file of a generator in a folder': {
    files: {
      'kustomization.yaml': 'generators: [g]',
      'g/kustomization.yaml': 'resources: [g.yaml]',
      'g/g.yaml': generator(local),
    },
    error: fetches(local),
  },
  'fetches a patch of a transformer': {
    files: {
      'kustomization.yaml': `transformers:\n${inline(`apiVersion: builtin\nkind: PatchTransformer\npath: ${local}`)}`,
    },
    error: fetches(local),
  },
  'fetches a file behind a key with a slash': {
    files: {
      'kustomization.yaml': 'configMapGenerator: [{name: x, files: ["a/b=http://127.0.0.1"]}]',
    },
    error: fetches('http://127.0.0.1'),
  },
  'repeats a key, which kustomize allows': {
    files: { 'kustomization.yaml': `resources: [${local}]\nnamePrefix: a\nnamePrefix: b` },
    error: isInvalid,
  },
  'names a base that repeats a key': {
    files: {
      'kustomization.yaml': 'resources: [base]',
      'base/kustomization.yaml': 'resources: [../../far]\nnamePrefix: a\nnamePrefix: b',
    },
    error: isInvalid,
  },
  'names a generator that repeats a key': {
    files: { 'kustomization.yaml': 'generators: [g.yaml]', 'g.yaml': 'a: 1\na: 2' },
    error: isInvalid,
  },
  'names a folder by a number': {
    files: { 'kustomization.yaml': 'resources: [123]' },
    links: { '123': 'far' },
    error: outside,
  },
  'names a folder with a line break': {
    files: { 'kustomization.yaml': 'resources: ["far\\n"]' },
    links: { 'far\n': 'far' },
    error: outside,
  },
  'names a file outside in a generator': {
    files: { 'kustomization.yaml': `generators:\n${inline(generator('../../far/c.yaml'))}` },
    error: outside,
  },
  'has names of groups, types, selectors and fields': {
    files: {
      'kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [c.yaml]
components: [component]
secretGenerator:
- {name: tls, type: kubernetes.io/tls, literals: [a=b]}
patches:
- path: p.yaml
  target: {group: apps, version: v1, labelSelector: app.kubernetes.io/name=web}
replacements:
- source: {kind: ConfigMap, name: c, fieldPath: "metadata.annotations.[example.com/a]"}
  targets:
  - select: {kind: ConfigMap}
    reject: [{annotationSelector: example.com/x=y}]
    fieldPaths: [metadata.annotations.example.com/a]
vars:
- name: HOST
  objref: {apiVersion: networking.k8s.io/v1, kind: Ingress, name: web}
  fieldref: {fieldpath: metadata.annotations.example.com/a}
helmCharts:
- name: web
  apiVersions: [monitoring.coreos.com/v1]
  valuesInline: {host: example.com/web}
`,
      'c.yaml': configMap,
      'p.yaml': 'kind: ConfigMap',
      'component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n',
    },
  },
  'has patches and generators with URLs as values': {
    files: {
      'kustomization.yaml': `resources: [c.yaml]
generators:
${inline(generator('c.yaml'))}patchesStrategicMerge:
- |
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data: {url: "https://example.com/a/b"}
`,
      'c.yaml': configMap,
    },
  },
};

test.each(Object.entries(cases))(
  'a kustomization that %s',
  async (_name, { files, links, error }) => {
    const placed = Object.entries(files).map(([name, text]) => [`repo/k/${name}`, text]);
    const all = {
      'repo/.git/HEAD': '',
      ...Object.fromEntries(placed),
      'far/kustomization.yaml': 'resources: [c.yaml]',
      'far/c.yaml': configMap,
      'bin/kustomize': printing,
    };
    await withFiles(all, async (folder) => {
      chmodSync(`${folder}/bin/kustomize`, 0o755);
      for (const [name, target] of Object.entries(links ?? {})) {
        symlinkSync(`${folder}/${target}`, `${folder}/repo/k/${name}`);
      }
      const build = () => buildKustomization(`${folder}/repo/k`, settingsFor(folder));
      if (error === undefined) expect(build()?.name).toContain('kustomize build');
      else expect(build).toThrow(error);
    });
  },
);

test('a chart whose link leads to a folder with a link to the outside is not rendered', async () => {
  const files = {
    'repo/.git/HEAD': '',
    'repo/shop/Chart.yaml': 'name: shop',
    'repo/other/a.txt': '',
    'far/secret': '',
    'bin/helm': printing,
  };
  await withFiles(files, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const render = () => renderChart(`${folder}/repo/shop`, settingsFor(folder));
    symlinkSync('../other', `${folder}/repo/shop/files`);
    symlinkSync('..', `${folder}/repo/other/circle`);
    expect(render().name).toContain('helm template');
    symlinkSync(`${folder}/far/secret`, `${folder}/repo/other/secret`);
    expect(render).toThrow(`shop/files/secret: ${outside}`);
  });
});

test('a program that does not end is ended', async () => {
  const files = {
    'k/kustomization.yaml': 'resources: []',
    'bin/kustomize': `#!${process.execPath}\nfor (;;);\n`,
  };
  await withFiles(files, async (folder) => {
    chmodSync(`${folder}/bin/kustomize`, 0o755);
    const build = () =>
      buildKustomization(`${folder}/k`, { ...settingsFor(folder), timeout: 1000 });
    expect(build).toThrow('ran longer than 1 s');
  });
});

function settingsFor(folder: string) {
  return {
    env: { PATH: `${folder}/bin` },
    maxFileSize: 1000,
    boundary: new Boundary([`${folder}/repo`]),
    skipped: new SkippedFiles(),
  };
}
