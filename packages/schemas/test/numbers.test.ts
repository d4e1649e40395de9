import { Double } from '@kubeadmit/cel';
import { decode, loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, it } from 'vitest';

/** A double as a reader of JSON may make it, with the text that it was read from. */
class WrittenDouble extends Double {
  readonly text: string;

  constructor(text: string) {
    super(Number(text));
    this.text = text;
  }
}

describe('decode takes numbers that JSON.parse would change', () => {
  it.each([
    [new Double(1), '1'],
    [new WrittenDouble('1.50'), '1500m'],
    [new WrittenDouble('1e3'), '1e3'],
    [new WrittenDouble('1E5'), '100e3'],
    [12345678901234567890n, '12345678901234567890'],
    [0.1, '100m'],
  ])('%o as a quantity', async (cpu, expected) => {
    const manifest = { apiVersion: 'v1', kind: 'Pod', spec: { overhead: { cpu } } };
    const { object } = decode(await loadSchemas(), manifest);
    expect(object?.['spec']).toMatchObject({ overhead: { cpu: expected } });
  });

  it.each([
    [new Double(1), 'number 1.0'],
    [new WrittenDouble('1e3'), 'number 1e3'],
    [9223372036854775808n, 'number 9223372036854775808'],
    [1.5, 'number 1.5'],
  ])('%o as no integer', async (value, found) => {
    const manifest = { apiVersion: 'v1', kind: 'Pod', spec: { activeDeadlineSeconds: value } };
    expect(decode(await loadSchemas(), manifest).error).toBe(
      `json: cannot unmarshal ${found} into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64`,
    );
  });

  it('keeps large integers', async () => {
    const value = 9223372036854775807n;
    const manifest = { apiVersion: 'v1', kind: 'Pod', spec: { activeDeadlineSeconds: value } };
    expect(decode(await loadSchemas(), manifest).object?.['spec']).toMatchObject({
      activeDeadlineSeconds: value,
    });
  });
});

describe('keys that objects have anyway', () => {
  it('are keys like any other', async () => {
    const data = JSON.parse('{"__proto__": "a", "constructor": "b"}');
    const { object } = decode(await loadSchemas(), { apiVersion: 'v1', kind: 'ConfigMap', data });
    expect(JSON.stringify(object?.['data'])).toBe('{"__proto__":"a","constructor":"b"}');
    const manifest = JSON.parse(
      '{"apiVersion": "v1", "kind": "ConfigMap", "__proto__": {"data": {"a": "b"}}}',
    );
    expect(decode(await loadSchemas(), manifest).object).not.toHaveProperty('data.a');
  });
});

describe('fieldValidation', () => {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    foo: 1,
    spec: { containers: [{ name: 'a', bar: 2 }], nodeSelector: { x: 'y' } },
  };

  it('reports unknown fields as warnings or refuses them', async () => {
    const schemas = await loadSchemas();
    const findings = ['unknown field "foo"', 'unknown field "spec.containers[0].bar"'];
    expect(decode(schemas, manifest, { fieldValidation: 'Warn' }).warnings).toEqual(findings);
    expect(decode(schemas, manifest, { fieldValidation: 'Strict' }).error).toBe(
      `strict decoding error: ${findings.join(', ')}`,
    );
    expect(decode(schemas, manifest)).not.toHaveProperty('warnings');
  });
});
