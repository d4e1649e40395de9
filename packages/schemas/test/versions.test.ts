import { readFileSync } from 'node:fs';
import {
  decode,
  findResource,
  knownVersions,
  loadSchemas,
  newestVersion,
  UnknownVersionError,
} from '@kubeadmit/schemas';
import { listKinds } from '@kubeadmit/schemas/types';
import { describe, expect, it } from 'vitest';

describe('loadSchemas', () => {
  it.each([
    ['1.29', '1.30, 1.31'],
    ['1.99', '1.37, 1.36'],
    ['2.0', '1.37, 1.36'],
    ['latest', '1.37, 1.36'],
  ])('names the nearest versions to %s', async (version, nearest) => {
    const refused = loadSchemas({ version });
    await expect(refused).rejects.toThrow(UnknownVersionError);
    await expect(refused).rejects.toMatchObject({
      message: `unknown Kubernetes version \`${version}\`; supported: 1.30 to 1.37`,
      nearest: nearest.split(', '),
    });
  });

  it('takes options, and not the bare version', async () => {
    const expected =
      'loadSchemas: expected options such as { version: \'1.36\' }, got the string "1.30"';
    await expect(loadSchemas('1.30' as never)).rejects.toThrow(new TypeError(expected));
  });

  it('takes patch versions', async () => {
    expect((await loadSchemas({ version: 'v1.36.3' })).version).toBe('1.36');
    expect((await loadSchemas()).version).toBe(newestVersion);
  });

  it.each(knownVersions)('decodes an empty object of every kind of %s', async (version) => {
    const schemas = await loadSchemas({ version });
    for (const { group, version: of, kind } of listKinds(schemas)) {
      const apiVersion = group === '' ? of : `${group}/${of}`;
      const { object, error } = decode(schemas, { apiVersion, kind });
      expect(error).toBeUndefined();
      expect(object).toMatchObject({ apiVersion, kind });
    }
  });

  it('knows which version has which resource', async () => {
    const policies = {
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      resource: 'mutatingadmissionpolicies',
    };
    expect(findResource(await loadSchemas({ version: '1.35' }), policies)).toBeUndefined();
    expect(findResource(await loadSchemas({ version: '1.36' }), policies)).toBeDefined();
  });

  it('drops fields that the version lacks', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [], resources: { limits: {} } },
    };
    const specOf = async (version: string) =>
      decode(await loadSchemas({ version }), pod).object?.['spec'];
    expect(await specOf('1.31')).not.toHaveProperty('resources');
    expect(await specOf('1.32')).toHaveProperty('resources');
  });

  it('loads only the requested version', async () => {
    const schemas = await loadSchemas({ version: '1.37', groupVersions: ['apps/v1'] });
    const known = (apiVersion: string, kind: string) => decode(schemas, { apiVersion, kind }).known;
    expect(known('apps/v1', 'Deployment')).toBe(true);
    expect(known('storage.k8s.io/v1', 'StorageClass')).toBe(false);
    expect(
      findResource(schemas, { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' }),
    ).toBeDefined();
  });
});

interface VersionCase {
  readonly name: string;
  readonly object: object;
  readonly path: readonly string[];
  readonly expected: Readonly<Record<string, unknown>>;
}

describe('decode follows the version', () => {
  const url = new URL('cases/versions.json', import.meta.url);
  for (const { name, object, path, expected } of JSON.parse(
    readFileSync(url, 'utf8'),
  ) as VersionCase[]) {
    it.each(Object.entries(expected))(`${name} in %s`, async (version, value) => {
      let found: unknown = decode(await loadSchemas({ version }), object).object;
      for (const key of path) found = (found as Record<string, unknown> | undefined)?.[key];
      expect(found ?? null).toEqual(value);
    });
  }
});
