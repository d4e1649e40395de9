import { TestCluster, type TestClusterOptions, type TestRequest } from '@kubeadmit/testing';

/**
 * Creates the cluster for `expect` from policies and their dependencies.
 *
 * @throws Error with all problems of the inputs.
 */
export function testCluster(options: TestClusterOptions): Promise<TestCluster> {
  return TestCluster.load(options);
}

/** A text that is expected: one that contains this, or that matches an expression of RE2. */
export type ExpectedMessage = string | RegExp;

/** Expectations about a request in addition to the matcher. */
export interface ExpectedOutcome {
  /** Counts only the results of this policy. */
  readonly policy?: string;
  /** Counts only the results of this binding. */
  readonly binding?: string;
  /** A rule of a policy of Kyverno. */
  readonly rule?: string;
  /** All warnings that the client sees, in their order: texts that contain these. */
  readonly warnings?: readonly ExpectedMessage[];
}

/** Expectations about a request that is denied, warned about or audited. */
export interface ExpectedRefusal extends ExpectedOutcome {
  /** A part of the message, or a pattern. */
  readonly message?: ExpectedMessage;
  /** The reason of the status, such as `Invalid`. */
  readonly reason?: string;
  /** Of HTTP. */
  readonly code?: number;
  /** The places in `spec.validations` of those that fail, from 0. */
  readonly validations?: number | readonly number[];
}

/** Expectations about a request whose object is changed. */
export interface ExpectedMutation extends ExpectedOutcome {
  /** Fields that the object has at the end; null for one that must be absent. */
  readonly object?: Readonly<Record<string, unknown>>;
  /** All changes, as a JSON patch. */
  readonly patch?: readonly unknown[];
}

/** A request, or the object that is created. */
export type Asked = TestRequest | TestRequest['object'];

/** The matchers, as `expect(cluster)` has them. */
export interface PolicyMatchers<R = unknown> {
  /** At least one policy is about the request, and none says anything against it. */
  toAdmit(request: Asked, expected?: ExpectedOutcome): R;
  /** A policy denies it. */
  toDeny(request: Asked, expected?: ExpectedRefusal): R;
  /** It is allowed with a warning about a validation that failed. */
  toWarn(request: Asked, expected?: ExpectedRefusal): R;
  /** Allowed, with the failure of a validation in the audit log. */
  toAudit(request: Asked, expected?: ExpectedRefusal): R;
  /** It is allowed, and its object is changed. */
  toMutate(request: Asked, expected?: ExpectedMutation): R;
  /** No policy has anything to do with it. */
  toIgnore(request: Asked, expected?: ExpectedOutcome): R;
  /** An expression of a policy fails, whatever that leads to. */
  toFailOn(request: Asked, expected?: ExpectedRefusal): R;
  /** The server refuses the object before any policy. */
  toRefuse(request: Asked, expected?: Pick<ExpectedRefusal, 'message'>): R;
}

const verdicts: Readonly<Record<keyof PolicyMatchers, string>> = {
  toAdmit: 'allowed',
  toDeny: 'denied',
  toWarn: 'warned',
  toAudit: 'audited',
  toMutate: 'mutated',
  toIgnore: 'not matched',
  toFailOn: 'error',
  toRefuse: 'invalid',
};

/** The result of a matcher for `expect`. */
interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

type Matcher = (received: unknown, request: Asked, expected?: object) => MatcherResult;

/**
 * The matchers for `expect.extend`. They are synchronous, so that none is forgotten to be awaited. They throw, with
 * `.not` as well, for invalid clusters, requests and expectations, for an unknown kind, and for an object that the
 * server rejects before any policy (`toRefuse` expects that).
 */
export const policyMatchers = Object.fromEntries(
  Object.entries(verdicts).map(([name, verdict]) => [name, matcher(name, verdict)]),
) as Readonly<Record<keyof PolicyMatchers, Matcher>>;

type Field = readonly [what: string, isOne: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isPattern = (value: unknown): boolean => isText(value) || value instanceof RegExp;
const isPlace = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Field = ['a string', isText];

const fields: Readonly<Record<string, Field>> = {
  policy: text,
  binding: text,
  rule: text,
  warnings: [
    'a list of strings and patterns',
    (value) => Array.isArray(value) && value.every(isPattern),
  ],
  message: ['a string or a pattern', isPattern],
  reason: text,
  code: ['a whole number', (value) => Number.isInteger(value)],
  validations: [
    'an index of a validation, or a list of indexes',
    (value) => isPlace(value) || (Array.isArray(value) && value.every(isPlace)),
  ],
  object: ['an object', isMap],
  patch: ['a list of operations', Array.isArray],
};

function matcher(name: string, verdict: string): Matcher {
  return (received, request, expected = {}) => {
    if (!(received instanceof TestCluster)) {
      throw new Error(`${name}: expected a cluster of \`testCluster\`${isLater(received)}`);
    }
    requireExpectation(name, expected);
    const expectation = { ...withTexts(expected), verdict };
    const { problems, summary, refusal } = received.judge(requestOf(request), expectation);
    if (refusal !== undefined && verdict !== verdicts.toRefuse) {
      throw new Error(`${name}: the server rejects the object before any policy: ${refusal}`);
    }
    return {
      pass: problems.length === 0,
      message: () =>
        problems.length > 0
          ? problems.join('\n')
          : `expected the request not to be ${verdict} with these properties, got ${summary}`,
    };
  };
}

function isLater(value: unknown): string {
  return value instanceof Promise ? ', and this is a Promise of one (await it)' : '';
}

function requireExpectation(name: string, expected: unknown): void {
  if (!isMap(expected)) {
    throw new Error(
      `${name}: expected an object with further expectations, such as { message: '…' }`,
    );
  }
  for (const [field, value] of Object.entries(expected as object)) {
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (known === undefined) throw new Error(`${name}: unknown expectation \`${field}\``);
    const [what, isOne] = known;
    if (value !== undefined && !isOne(value)) {
      throw new Error(`${name}: \`${field}\` must be ${what}`);
    }
  }
}

function requestOf(asked: Asked): TestRequest {
  if (typeof asked !== 'object' || asked === null) return { object: asked };
  return isRequest(asked) ? asked : { object: asked as Readonly<Record<string, unknown>> };
}

function isRequest(asked: object): asked is TestRequest {
  return 'object' in asked && !('kind' in asked);
}

/** The expectation in the form of suites. */
function withTexts(expected: object): object {
  const { message, warnings } = expected as ExpectedRefusal;
  return {
    ...expected,
    ...(message === undefined ? {} : { message: textOf(message) }),
    ...(warnings === undefined ? {} : { warnings: warnings.map(textOf) }),
  };
}

function textOf(text: ExpectedMessage): object {
  if (typeof text === 'string') return { contains: text };
  return { matches: text.flags.includes('i') ? `(?i)${text.source}` : text.source };
}
