import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadPlugins } from '../../src/load-plugins.ts';
import { readNodeSelectors } from '../../src/plugins/pod-node-selector/configuration.ts';

/** A configuration of a plugin, and why kube-apiserver 1.37.1 does not start with it; no error if it does. */
interface Case {
  readonly plugin: string;
  /** The text; null for a server without one. */
  readonly configuration: string | null;
  readonly error?: string;
}

const file = new URL('plugin-configurations.ndjson', import.meta.url);
const cases = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

async function load({ plugin, configuration }: Omit<Case, 'error'>): Promise<readonly string[]> {
  const warnings: string[] = [];
  await loadPlugins({
    plugins: 'none',
    enable: [plugin],
    configurations: new Map(configuration === null ? [] : [[plugin, configuration]]),
    warn: (text) => void warnings.push(text),
    minor: 37,
  });
  return warnings;
}

describe('a plugin configuration that kube-apiserver refuses is refused with its text', () => {
  test.each(cases.filter(({ error }) => error))('$plugin $configuration', async (given) => {
    await expect(load(given)).rejects.toThrow(new Error(given.error));
  });
});

describe('a plugin configuration that kube-apiserver reads is read', () => {
  test.each(cases.filter(({ error }) => error === undefined))(
    '$plugin $configuration',
    async (given) => void (await load(given)),
  );
});

const tolerations = {
  apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
};

test.each([
  ['PodTolerationRestriction', { ...tolerations, whitelists: [] }, 'unknown field "whitelists"'],
  [
    'PodTolerationRestriction',
    { ...tolerations, whitelist: [{ operator: 'Exists', efect: 'NoExecute' }] },
    'unknown field "whitelist[0].efect"',
  ],
  [
    'EventRateLimit',
    {
      apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      limits: [{ type: 'Server', qps: 1, burst: 1, cache: 1 }],
    },
    'unknown field "limits[0].cache"',
  ],
  [
    'PodNodeSelector',
    { podNodeSelectorPluginConfigs: {} },
    'unknown field "podNodeSelectorPluginConfigs"',
  ],
  [
    'PodNodeSelector',
    { podNodeSelectorPluginConfig: 'x' },
    'podNodeSelectorPluginConfig, which is not an object',
  ],
  [
    'PodNodeSelector',
    { podNodeSelectorPluginConfig: { a: 5, b: 'c=d' } },
    'podNodeSelectorPluginConfig["a"], which is not a string',
  ],
  ['PodNodeSelector', [], 'a value that is not an object'],
])(
  'warns about what kube-apiserver ignores in a configuration of %s: %j',
  async (plugin, object, ignored) => {
    expect(await load({ plugin, configuration: JSON.stringify(object) })).toEqual([
      `the configuration of the admission plugin "${plugin}": ignored: ${ignored}`,
    ]);
  },
);

test('a text that is neither YAML nor JSON is refused, where kube-apiserver reads without end', async () => {
  await expect(load({ plugin: 'PodNodeSelector', configuration: '{' })).rejects.toThrow(
    'unexpected end of JSON input',
  );
});

test('a selector of another type does not drop the selectors of other namespaces', () => {
  const text = 'podNodeSelectorPluginConfig: {a: [x], b: c=d, e: 5}';
  expect(readNodeSelectors(text, () => {})).toEqual({ a: '', b: 'c=d', e: '5' });
});
