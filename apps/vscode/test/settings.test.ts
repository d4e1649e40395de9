import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Setting {
  readonly scope: string;
  readonly pattern?: string;
}

const { contributes, capabilities } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
};
const { properties } = contributes.configuration;

// The effect of each setting: only a version or a log level may come from a repository.
const settings = {
  'kubeadmit.kubernetesVersion': 'harmless',
  'kubeadmit.path': 'program',
  'kubeadmit.documentation': 'link',
  'kubeadmit.trace.server': 'harmless',
};

test('every setting is listed with its effect', () => {
  expect(Object.keys(properties)).toEqual(Object.keys(settings));
});

test.each(Object.entries(settings))('%s is %s', (name, decides) => {
  const isRestricted = capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name);
  expect(isRestricted).toBe(decides !== 'harmless');
  expect(properties[name]?.scope).toBe(decides === 'harmless' ? 'window' : 'machine');
});

test('the documentation site is an http or https URL', () => {
  const pattern = new RegExp(properties['kubeadmit.documentation']?.pattern ?? '^$');
  expect(
    ['', 'https://docs.example/', 'command:x', 'file:///x'].map((url) => pattern.test(url)),
  ).toEqual([true, true, false, false]);
});
