import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const chart = fileURLToPath(new URL('../../../apps/webhook/chart/', import.meta.url));
const schema = JSON.parse(readFileSync(`${chart}values.schema.json`, 'utf8')) as Schema;
const values = parse(readFileSync(`${chart}values.yaml`, 'utf8')) as unknown;

interface Field {
  readonly path: string;
  readonly description: string;
  readonly value: unknown;
}

const fields = fieldsOf(schema, '', values);

function fieldsOf({ properties = {}, items }: Schema, path: string, value: unknown): Field[] {
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    const given = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    const field = { path: inner, description: property.description ?? '', value: given };
    return [field, ...fieldsOf(property, inner, given)];
  });
  if (items?.properties === undefined) return own;
  const element = { path: `${path}[]`, description: items.description ?? '', value: undefined };
  return [...own, element, ...fieldsOf(items, `${path}[]`, undefined)];
}

describe('the schema of the chart values', () => {
  test('has fields', () => {
    expect(fields.length).toBeGreaterThan(100);
  });

  test.each(fields)('describes $path in one or two sentences', ({ description }) => {
    expect(description).toMatch(/^[A-Z].{10,240}\.$/);
  });

  const withDefault = fields.filter(
    ({ value }) => ['number', 'boolean', 'string'].includes(typeof value) && value !== '',
  );

  test.each(withDefault)('names the default of $path', ({ description, value }) => {
    expect(description).toContain(`(default: ${value}).`);
  });
});
