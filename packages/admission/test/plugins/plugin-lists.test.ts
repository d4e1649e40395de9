import { expect, test } from 'vitest';
import { defaultPlugins } from '../../src/default-plugins.ts';
import { optionalPlugins } from '../../src/optional-plugins.ts';
import { configurablePlugins, orderedPluginNames } from '../../src/plugins/plugin-names.data.ts';

const isDefault = new Map(orderedPluginNames.map((facts) => [facts.name, facts.isDefault]));

test('the default plugins are those that kube-apiserver enables by default', () => {
  expect(defaultPlugins.filter(({ name }) => isDefault.get(name) !== true)).toEqual([]);
  expect(optionalPlugins.filter(({ name }) => isDefault.get(name) !== false)).toEqual([]);
});

test('the configurable plugins are those that read a configuration', () => {
  const configured = [...defaultPlugins, ...optionalPlugins].filter(
    ({ configure }) => configure !== undefined,
  );
  expect(new Set(configured.map(({ name }) => name))).toEqual(configurablePlugins);
});
