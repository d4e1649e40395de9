import { dirname, join } from 'node:path';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { convertPolicy } from '@kubeadmit/convert';
import { readErrorText, readText } from '@kubeadmit/files';
import { type InputProblem, readDocuments, Source } from '@kubeadmit/manifest';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import type { SuiteDocument } from '@kubeadmit/testing';
import {
  type GatorAssertion,
  type GatorCase,
  type GatorSuite,
  type GatorTest,
  withOwnNames,
} from '@kubeadmit/testing/other-tools';
import type { ReadBoundary } from '../input/local/boundary.ts';

/** The conversion of a gator suite. */
export interface ImportedSuite {
  /** Absent where no test of it can be rewritten. */
  readonly document?: SuiteDocument;
  readonly problems: readonly InputProblem[];
  /** Differences in wording or precision. */
  readonly notes: readonly InputProblem[];
}

/** Makes a suite of one of gator: templates and constraints become admission policies with their bindings. */
export async function suiteOfGator(
  suite: GatorSuite,
  boundary: ReadBoundary,
): Promise<ImportedSuite> {
  const { file, name } = suite;
  const schemas = await loadSchemas();
  const problems: InputProblem[] = [];
  const notes: InputProblem[] = [];
  const cases: SuiteDocument[] = [];
  const objectOf = (path: string): JsonObject => objectIn(join(dirname(file), path), boundary);
  for (const test of suite.tests) {
    const say = (message: string): void =>
      void notes.push({ file, message: `${test.name}: ${message}` });
    try {
      cases.push(groupOf(suite, test, { schemas, objectOf, say }));
    } catch (error) {
      const text = error instanceof Unreadable ? error.message : readErrorText(error);
      problems.push({ file, message: `${test.name}: ${text}` });
    }
  }
  if (cases.length === 0) return { problems, notes };
  return { document: { name, strict: false, cases: withOwnNames(cases) }, problems, notes };
}

/** Says why a test cannot be rewritten; caught where it is. */
class Unreadable extends Error {}

/** The context of a conversion. */
interface Making {
  readonly schemas: Schemas;
  /** The first object of a file that the suite names. */
  readonly objectOf: (path: string) => JsonObject;
  /** Receives notes about assertions that are converted only approximately. */
  readonly say: (message: string) => void;
}

function groupOf({ skip }: GatorSuite, test: GatorTest, making: Making): SuiteDocument {
  const { schemas, objectOf } = making;
  if (test.expansion !== '') throw new Unreadable('suites do not support expansions');
  if (test.invalid) throw new Unreadable('suites do not support invalid constraints');
  if (test.cases.length === 0) throw new Unreadable('the test has no cases');
  const constraint = objectOf(test.constraint);
  const { objects, rules } = convertPolicy(constraint, {
    schemas,
    related: [objectOf(test.template)],
  });
  if (objects.length === 0)
    throw new Unreadable(rules[0]?.reason ?? 'the constraint has no result');
  const verdict = verdictOf(constraint);
  return {
    name: test.name,
    ...(skip || test.skip ? { skip: 'skipped in the suite of gator' } : {}),
    policies: objects,
    cases: withOwnNames(test.cases.map((one) => caseOf(one, verdict, making))),
  };
}

function caseOf(one: GatorCase, verdict: string, { objectOf, say }: Making): SuiteDocument {
  const { name, object, inventory, assertions } = one;
  const isReview = objectOf(object)['kind'] === 'AdmissionReview';
  return {
    name,
    ...(one.skip ? { skip: 'skipped in the suite of gator' } : {}),
    ...(inventory.length === 0 ? {} : { resources: inventory }),
    [isReview ? 'request' : 'object']: object,
    expect: expectationOf(assertions, verdict, (message) => say(`${name}: ${message}`)),
  };
}

function expectationOf(
  assertions: readonly GatorAssertion[],
  verdict: string,
  say: (message: string) => void,
): SuiteDocument {
  const isNone = ({ violations }: GatorAssertion): boolean =>
    violations === false || violations === 0;
  const wanted = assertions.filter((each) => !isNone(each));
  const [told] = wanted.filter(({ message }) => message !== '');
  for (const { violations, message } of assertions) {
    if (typeof violations === 'number' && violations > 1)
      say(`\`violations: ${violations}\` was converted to "at least one"`);
    if (isNone({ violations, message }) && message !== '') {
      say('`violations: 0` with a message was dropped');
    }
  }
  if (wanted.filter(({ message }) => message !== '').length > 1) {
    say('only the first of several messages is checked');
  }
  if (wanted.length === 0) return { verdict: ['allowed', 'not matched'] };
  // For gator an expression that fails is a violation like any other.
  const message = told === undefined ? {} : { message: { matches: told.message } };
  return { verdict: [verdict, 'error'], ...message };
}

function verdictOf({ spec }: JsonObject): string {
  const action = isObject(spec) ? (spec['enforcementAction'] ?? 'deny') : 'deny';
  if (action === 'deny') return 'denied';
  return action === 'warn' ? 'warned' : 'audited';
}

function objectIn(file: string, boundary: ReadBoundary): JsonObject {
  try {
    boundary.require(file);
    const text = readText(file, { regularOnly: true });
    const { documents, problems } = readDocuments(new Source(file, text));
    const [first] = documents;
    if (first !== undefined && isObject(first.value)) return first.value;
    throw new Error(problems[0]?.message ?? 'the file contains no object');
  } catch (error) {
    throw new Unreadable(`${file}: ${readErrorText(error)}`);
  }
}
