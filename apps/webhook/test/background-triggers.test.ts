import { expect, test } from 'vitest';
import { Triggers } from '../src/background/triggers.ts';

const resourceOf = (version: string) => ({
  ...{ group: 'example.com', version, kind: 'Widget', resource: 'widgets' },
  ...{ apiVersion: `example.com/${version}`, path: `/apis/example.com/${version}/widgets` },
  ...{ isNamespaced: true, verbs: new Set<string>() },
});

const trigger = (uid: string, namespace: string, version: string) => ({
  object: { apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { uid, namespace } },
  resource: resourceOf(version),
});

test('forgets the triggers of resources that are not watched any more', () => {
  const triggers = new Triggers(new Set(['excluded']));
  for (const version of ['v1', 'v2']) {
    expect(triggers.change(trigger(`open-${version}`, 'open', version), false)).toBe(true);
    expect(triggers.change(trigger(`excluded-${version}`, 'excluded', version), false)).toBe(false);
  }
  triggers.retain(({ version }) => version === 'v2');
  expect(triggers.get('open-v1')).toBeUndefined();
  expect(triggers.get('open-v2')).toBeDefined();
  expect(triggers.isExcluded('excluded-v1')).toBe(false);
  expect(triggers.isExcluded('excluded-v2')).toBe(true);
});
