import type { JsonSchema } from '../format/json-schema.ts';

const text: JsonSchema = { type: 'string' };
const name: JsonSchema = { type: 'string', minLength: 1 };
const flag: JsonSchema = { type: 'boolean' };

const assertion: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    // Plain yes and no are truth values for Kubernetes' YAML.
    violations: {
      anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string', enum: ['yes', 'no'] }, flag],
    },
    message: text,
  },
};

/** The suites of gator (gatekeeper, `pkg/gator/verify/suite.go`). */
export const gatorSchema: JsonSchema = {
  type: 'object',
  required: ['tests'],
  additionalProperties: false,
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    skip: flag,
    tests: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['template', 'constraint'],
        additionalProperties: false,
        properties: {
          name: text,
          template: name,
          constraint: name,
          expansion: text,
          invalid: flag,
          skip: flag,
          cases: {
            type: 'array',
            items: {
              type: 'object',
              required: ['object', 'assertions'],
              additionalProperties: false,
              properties: {
                name: text,
                object: name,
                inventory: { type: 'array', items: name },
                assertions: { type: 'array', minItems: 1, items: assertion },
                skip: flag,
              },
            },
          },
        },
      },
    },
  },
};
