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
    'allowed: no policy denies the request; denied: a policy denies it; warned, audited: allowed, and a failure is reported as a warning or an audit annotation; mutated: allowed and changed; not matched: no policy matches; invalid: the server rejects the object before any policy; error: an expression fails, whatever the failure policy. Default: denied with `message`, `reason`, `code` or `validations`, mutated with `patch`, otherwise allowed.',
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
        equals: { description: 'The complete text.', type: 'string' },
        contains: {
          description: 'A part of the text, or several parts.',
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
          ],
        },
        matches: {
          description: 'A regular expression that matches a part of the text (RE2 syntax).',
          type: 'string',
          minLength: 1,
        },
      },
    },
  ],
});

const index: JsonSchema = { type: 'integer', minimum: 0 };

/** The expectation of a case. */
export const expectationSchema: JsonSchema = {
  description: 'The expected outcome: a verdict, or an object with everything to compare.',
  anyOf: [
    verdict,
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        verdict: {
          description: 'A verdict, or a list of verdicts of which one must be true.',
          anyOf: [verdict, { type: 'array', minItems: 1, items: verdict }],
        },
        policy: { description: 'Compare only the outcome of this policy.', type: 'string' },
        binding: { description: 'Compare only the outcome of this binding.', type: 'string' },
        rule: {
          description: 'Compare only the outcome of this rule of a Kyverno policy.',
          type: 'string',
        },
        message: text(
          'The message of the policy, or the complete message of the server: the exact text, or an object with `contains` or `matches`.',
        ),
        reason: { description: 'The reason of the status, such as `Invalid`.', type: 'string' },
        code: { description: 'The code of the status, such as 422.', ...index },
        validations: {
          description:
            'The indexes in `spec.validations` of the validations that fail, from 0. No other may fail.',
          anyOf: [index, { type: 'array', items: index }],
        },
        warnings: {
          description: 'All warnings that the client receives, in order.',
          type: 'array',
          items: text(''),
        },
        auditAnnotations: {
          description: 'Audit annotations by key (`policy/key` or `key`); null means absent.',
          type: 'object',
        },
        object: {
          description:
            'Fields of the object after mutation. List elements with a `name` are found by name; null means that the field is absent.',
          type: 'object',
          minProperties: 1,
        },
        wholeObject: {
          description:
            'The complete object after mutation: inline, or as `FILE` or `FILE#Kind/name`.',
          anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }],
        },
        patch: {
          description: 'All changes by policies, as a JSON patch (RFC 6902).',
          type: 'array',
          items: { type: 'object' },
        },
        maxCost: {
          description:
            'The highest cost of all expressions of native policies together, in CEL cost units.',
          ...index,
        },
        snapshot: {
          description:
            'Whether the complete outcome is compared with the snapshot that `--update` wrote; without a verdict, the snapshot decides (default: false).',
          type: 'boolean',
        },
      },
    },
  ],
};
