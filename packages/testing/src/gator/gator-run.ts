import { type JsonObject, kindOfObject, member, metadataString } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { unknownReviewFields } from '@kubeadmit/chain/requests';
import type { AdmissionRequest } from '@kubeadmit/engine';
import {
  isTemplate,
  LoadedConstraint,
  type ReviewedRequest,
  readTemplate,
  requestOfObject,
} from '@kubeadmit/gatekeeper';
import { isRecord } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import { checkShape } from '../format/check-shape.ts';
import type { JsonSchema } from '../format/json-schema.ts';
import type { TestEntry } from '../kyverno-tests/judge.ts';
import type { TestHost } from '../kyverno-tests/test-reader.ts';
import { CaseProblem } from '../load/reference-reader.ts';
import { assertionText, failedAssertion } from './assertions.ts';
import { GatorFiles } from './gator-files.ts';
import type { GatorCase, GatorSuite, GatorTest } from './gator-suite.ts';

/** A case of a suite of gator, or a test that has none. */
interface Runnable {
  readonly test: GatorTest;
  readonly one: GatorCase | undefined;
}

/**
 * A suite of gator whose cases are run as gator runs them: constraint by constraint, on objects as they are written.
 */
export class GatorRun {
  /** The suite. */
  readonly suite: GatorSuite;
  /** The names of the cases; each is run by its index here. */
  readonly names: readonly string[];
  readonly #runnables: readonly Runnable[];
  readonly #files: GatorFiles;
  readonly #constraints = new Map<GatorTest, Promise<LoadedConstraint | string>>();

  constructor(suite: GatorSuite, host: TestHost) {
    this.suite = suite;
    this.#files = new GatorFiles(suite.file, host);
    this.#runnables = suite.tests.flatMap((test): Runnable[] =>
      test.cases.length === 0 || test.invalid
        ? [{ test, one: undefined }]
        : test.cases.map((one) => ({ test, one })),
    );
    this.names = this.#runnables.map(({ test, one }) =>
      [suite.name, test.name, ...(one === undefined ? [] : [one.name])].join('/'),
    );
  }

  /** Runs a case, by its place among the names; never rejects. */
  async run(index: number): Promise<TestEntry> {
    const runnable = this.#runnables[index];
    if (runnable === undefined) throw new RangeError(`unknown case ${index}`);
    const { test, one } = runnable;
    const entry = {
      file: this.suite.file,
      name: this.names[index] ?? '',
      policy: '',
      rule: '',
      resource: one?.object ?? '',
      expected: expectationOf(runnable),
      line: one?.line ?? test.line,
    };
    if (this.suite.skip || test.skip || one?.skip === true) {
      return { ...entry, actual: 'skipped', result: 'skip', message: '`skip` is true' };
    }
    try {
      return { ...entry, ...(await this.#judge(runnable)) };
    } catch (error) {
      const message =
        error instanceof CaseProblem
          ? error.text
          : `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${String(error)}`;
      return { ...entry, actual: 'error', result: 'error', message };
    }
  }

  async #judge({
    test,
    one,
  }: Runnable): Promise<Pick<TestEntry, 'policy' | 'actual' | 'result' | 'message'>> {
    if (test.expansion !== '') {
      throw new CaseProblem('expansions are not supported; test the expanded object instead');
    }
    const loaded = await this.#constraint(test);
    const policy = metadataString(await this.#files.first(test.constraint), 'name');
    if (typeof loaded === 'string') {
      return {
        policy,
        actual: 'invalid constraint',
        result: test.invalid ? 'pass' : 'error',
        message: test.invalid ? '' : loaded,
      };
    }
    if (test.invalid) {
      const message =
        'expected a constraint that violates the schema of its template, but it is valid';
      return { policy, actual: 'valid constraint', result: 'fail', message };
    }
    if (one === undefined) {
      return { policy, actual: 'valid constraint', result: 'pass', message: '' };
    }
    const messages = loaded.violations(await this.#request(one));
    const failed = one.assertions
      .map((assertion) => failedAssertion(assertion, messages))
      .filter((each) => each !== undefined);
    const actual = messages.length === 0 ? 'no violation' : `violated: ${messages.join('; ')}`;
    return failed.length === 0
      ? { policy, actual, result: 'pass', message: '' }
      : { policy, actual, result: 'fail', message: failed.join('\n') };
  }

  /** The constraint of a test, or how it does not fit its schema; each is loaded once. */
  #constraint(test: GatorTest): Promise<LoadedConstraint | string> {
    return getOrMake(this.#constraints, test, () => this.#load(test));
  }

  async #load({
    template: templateFile,
    constraint,
  }: GatorTest): Promise<LoadedConstraint | string> {
    const object = await this.#files.first(templateFile);
    if (!isTemplate(object)) throw new CaseProblem(`${templateFile}: no ConstraintTemplate`);
    const template = readTemplate(object);
    if ('problem' in template) {
      const { problem, advice } = template;
      throw new CaseProblem(advice === undefined ? problem : `${problem}; ${advice}`);
    }
    const written = await this.#files.first(constraint);
    const loaded = LoadedConstraint.load(written, template, await loadSchemas());
    if (loaded instanceof LoadedConstraint) return loaded;
    if (loaded.isSchemaProblem) return `${constraint}: ${loaded.problem}`;
    throw new CaseProblem(`${constraint}: ${loaded.problem}`);
  }

  async #request({ object, inventory }: GatorCase): Promise<ReviewedRequest> {
    const known = await Promise.all(inventory.map((path) => this.#files.all(path)));
    const namespaces = known
      .flat()
      .filter((each) => each['apiVersion'] === 'v1' && each['kind'] === 'Namespace')
      .map((each) => [metadataString(each, 'name'), each] as const);
    const written = await this.#files.one(object);
    const request = isAdmissionReview(written)
      ? reviewedRequest(written, object)
      : requestOfObject(written);
    return { request, namespaces: new Map(namespaces) };
  }
}

function expectationOf({ test, one }: Runnable): string {
  if (one !== undefined) return one.assertions.map(assertionText).join(', ');
  return test.invalid ? 'invalid constraint' : 'valid constraint';
}

/** Whether an object is a review for gator, of whatever version. */
function isAdmissionReview(object: JsonObject): boolean {
  const { apiVersion, kind } = object;
  return kind === 'AdmissionReview' && String(apiVersion).startsWith('admission.k8s.io/');
}

const text: JsonSchema = { type: 'string' };
const map: JsonSchema = { type: 'object' };

// The types of the fields; unknown fields are reported earlier.
const requestSchema: JsonSchema = {
  type: 'object',
  properties: {
    operation: text,
    name: text,
    namespace: text,
    subResource: text,
    kind: map,
    resource: map,
    userInfo: map,
    object: map,
    oldObject: map,
    options: map,
    dryRun: { type: 'boolean' },
  },
};

function withoutNulls(fields: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Returns the request of a review unchanged: gator sets no defaults. */
function reviewedRequest(review: JsonObject, file: string): AdmissionRequest {
  const request = member(review, 'request');
  if (!isRecord(request)) throw new CaseProblem(`${file}: the AdmissionReview has no request`);
  const [unknown] = unknownReviewFields(review);
  if (unknown !== undefined) throw new CaseProblem(`${file}: ${unknown.message}`);
  const [wrong] = checkShape(withoutNulls(request), requestSchema);
  if (wrong !== undefined) throw new CaseProblem(`${file}: request: ${wrong.message}`);
  const { object, oldObject, operation } = request;
  if (object == null && oldObject == null) {
    throw new CaseProblem(`${file}: the request has neither \`object\` nor \`oldObject\``);
  }
  if (operation === 'DELETE' && oldObject == null) {
    throw new CaseProblem(`${file}: a DELETE request requires \`oldObject\``);
  }
  for (const each of [object, oldObject]) {
    if (each == null || kindOfObject(each) !== undefined) continue;
    throw new CaseProblem(`${file}: the object of the request is missing, or has no \`kind\``);
  }
  return request as unknown as AdmissionRequest;
}
