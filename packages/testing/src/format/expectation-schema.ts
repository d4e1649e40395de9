import type { JsonSchema } from './json-schema.ts';

/** The possible verdicts of a request, as tests name them. */
export const verdicts = [
  'allowed',
  'denied',
  'warned',
  'audited',
  'mutated',
  'not matched',
  'invalid',
  'error',
] as const;

const verdict: JsonSchema = {
  description:
    'allowed: nothing is said against it; denied: a policy denies; warned, audited: allowed with a warning or an audit annotation about a failure; mutated: allowed and changed; not matched: no policy has anything to do with it; invalid: the server refuses the object before any policy; error: an expression fails, whatever that leads to. Default denied with `message`, `reason`, `code` or `validations`, mutated with `patch`, else allowed.',
  type: 'string',
  enum: verdicts,
};

const text = (description: string): JsonSchema => ({
  description,
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        equals: { type: 'string' },
        contains: {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
          ],
        },
        matches: { description: 'A regular expression (RE2).', type: 'string', minLength: 1 },
      },
    },
  ],
});

const index: JsonSchema = { type: 'integer', minimum: 0 };

/** The expectation of a case. */
export const expectationSchema: JsonSchema = {
  description: 'What becomes of the request: a verdict, or all that is checked.',
  anyOf: [
    verdict,
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        verdict: {
          description: 'One of the words above, or several, of which one has to be true.',
          anyOf: [verdict, { type: 'array', minItems: 1, items: verdict }],
        },
        policy: { description: 'Only what this policy says counts.', type: 'string' },
        binding: { description: 'Only what is said with this binding counts.', type: 'string' },
        rule: {
          description: 'Only what this rule of a Kyverno policy says counts.',
          type: 'string',
        },
        message: text(
          'What the policy says, or the complete message of the server: exactly, or by `contains` or `matches`.',
        ),
        reason: { description: 'The reason of the status, such as `Invalid`.', type: 'string' },
        code: { description: 'The code of the status, such as 422.', ...index },
        validations: {
          description:
            'The places in `spec.validations` of those that fail, from 0; no others may.',
          anyOf: [index, { type: 'array', items: index }],
        },
        warnings: {
          description: 'All warnings that the client sees, in their order.',
          type: 'array',
          items: text(''),
        },
        auditAnnotations: {
          description:
            'Audit annotations by key (`policy/key` or `key`); null for one that must be absent.',
          type: 'object',
        },
        object: {
          description:
            'Fields that the object has at the end; elements of lists that have a `name` are found by it, null is for a field that must be absent.',
          type: 'object',
          minProperties: 1,
        },
        wholeObject: {
          description:
            'The whole object at the end: written here, or as `FILE` or `FILE#Kind/name`.',
          anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }],
        },
        patch: {
          description: 'All changes that policies make, as a JSON patch (RFC 6902).',
          type: 'array',
          items: { type: 'object' },
        },
        maxCost: {
          description:
            'The cost in CEL units that the expressions of native policies may have together.',
          ...index,
        },
        snapshot: {
          description:
            'Whether the whole outcome is compared with the one that `--update` wrote; alone it tells the verdict as well.',
          type: 'boolean',
        },
      },
    },
  ],
};
