import type { JsonSchema } from '../format/json-schema.ts';

const texts: JsonSchema = { type: 'array', minItems: 1, items: { type: 'string' } };
const name: JsonSchema = { type: 'string', minLength: 1 };
const text: JsonSchema = { type: 'string' };
const object: JsonSchema = {
  type: 'object',
  required: ['kind', 'name'],
  additionalProperties: false,
  properties: { group: text, version: text, kind: name, namespace: text, name },
};

/** The files of kaptest (pfnet/kaptest, `internal/tester/manifest.go`). */
export const kaptestSchema: JsonSchema = {
  type: 'object',
  required: ['validatingAdmissionPolicies', 'resources', 'testSuites'],
  additionalProperties: false,
  properties: {
    validatingAdmissionPolicies: texts,
    resources: texts,
    testSuites: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['policy', 'tests'],
        additionalProperties: false,
        properties: {
          policy: name,
          tests: {
            type: 'array',
            items: {
              type: 'object',
              required: ['expect'],
              additionalProperties: false,
              properties: {
                object,
                oldObject: object,
                param: {
                  type: 'object',
                  required: ['name'],
                  additionalProperties: false,
                  properties: { namespace: text, name },
                },
                expect: { type: 'string', enum: ['admit', 'allow', 'deny', 'error', 'skip'] },
                userInfo: { type: 'object' },
              },
            },
          },
        },
      },
    },
  },
};
