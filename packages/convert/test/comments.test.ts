import { expect, test } from 'vitest';
import { commentsIn, commentsOfRule, withComments } from '../src/index.ts';

const policy = `# Owned by the platform team.
kind: ClusterPolicy
spec: # of all
  rules:
    # Tags that move cannot be rolled back.
    - name: no-latest
      match:
        any:
          # Controllers follow.
          - resources: {}
      preconditions:
        all: [] # none yet
      validate:
        pattern:
          # Every container.
          image: "!*:latest # no comment"
    - name: second # the other
# The end.
`;

test('the comments of a text with their places', () => {
  expect(
    commentsIn(policy).map(({ path, lines }) => `${path.join('.')}: ${lines.join('|')}`),
  ).toEqual([
    'kind: Owned by the platform team.',
    'spec: of all',
    'spec.rules: Tags that move cannot be rolled back.',
    'spec.rules.0.match.any: Controllers follow.',
    'spec.rules.0.preconditions.all: none yet',
    'spec.rules.0.validate.pattern: Every container.',
    'spec.rules.1.name: the other',
    ': The end.',
  ]);
});

const result = `kind: ValidatingAdmissionPolicy
spec:
  matchConstraints:
    resourceRules: []
  validations:
    - expression: 'true'
`;

test('a comment stays above its node, or above the next node', () => {
  expect(
    withComments(result, commentsOfRule(commentsIn(policy), 0)),
  ).toBe(`# Owned by the platform team.
# of all
# Tags that move cannot be rolled back.
# The end.
kind: ValidatingAdmissionPolicy
spec:
  # Controllers follow.
  matchConstraints:
    resourceRules: []
  # none yet
  # Every container.
  validations:
    - expression: 'true'
`);
});

test('a text without comments stays', () => {
  expect(withComments(result, commentsOfRule(commentsIn('a: "#"'), 0))).toBe(result);
});
