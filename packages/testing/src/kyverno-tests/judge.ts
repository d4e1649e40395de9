import { formatGroupVersion, type JsonObject, metadataString } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import {
  identityOf,
  identityText,
  type Response,
  type Result,
} from '@kubeadmit/chain/kyverno-resources';
import { type TestResource, type TestTarget, testTargets } from './evaluate.ts';
import { type Comparison, compareWith } from './expected-objects.ts';
import type { LoadedTest } from './load.ts';
import type { ExpectedResult, ResourceSpec, TestFile } from './test-file.ts';

/** One line of the report of a test: a row of its results on one resource and rule. */
export interface TestEntry {
  /** The file of the test. */
  readonly file: string;
  /** The name of the test. */
  readonly name: string;
  /** The name of the policy. */
  readonly policy: string;
  /** The name of the rule; empty for policies without rules. */
  readonly rule: string;
  /** The resource, in the form in which the test names it. */
  readonly resource: string;
  /** The expected status. */
  readonly expected: string;
  /** The actual status, or `excluded`, `not found`, `unsupported`, `different object`. */
  readonly actual: string;
  /** The result of the row. */
  readonly result: 'pass' | 'fail' | 'error' | 'skip';
  /** The message of the policy, or the reason of the result. */
  readonly message: string;
  /** The line of the row, if known. */
  readonly line?: number | undefined;
  /** How long it took, where the host measures that. */
  readonly seconds?: number | undefined;
}

/** Policies that have no rules by name: a row's `rule` says nothing about them. */
const rulelessKinds =
  /^(?:Namespaced|Cluster(?=Cleanup))?(?:(?:Image)?Validating|Mutating|Generating|Deleting|Cleanup)(?:Admission)?Policy$/;

/** Judges the rows of a test. */
export async function judge(
  loaded: LoadedTest,
  rows: readonly ExpectedResult[],
  resources: readonly TestResource[],
): Promise<readonly TestEntry[]> {
  const known = nameResources([...testTargets(loaded, resources), ...resources]);
  const entries: TestEntry[] = [];
  for (const row of rows) {
    const judged = await judgeRow(loaded, row, known);
    entries.push(...(judged.length > 0 ? judged : [unjudged(loaded, row)]));
  }
  return entries;
}

async function judgeRow(
  loaded: LoadedTest,
  row: ExpectedResult,
  known: NamedResources<TestResource | TestTarget>,
): Promise<readonly TestEntry[]> {
  const entries: TestEntry[] = [];
  const unsupported = reasonAgainst(loaded, row);
  for (const one of selected(row, known)) {
    const judged =
      'changes' in one
        ? judgeTarget(loaded, row, one)
        : judgeResource(loaded, row, one, unsupported);
    entries.push(...(await judged));
  }
  // Results of a policy that Kyverno rejects do not count.
  const invalid = entries.every(({ result }) => result === 'pass')
    ? undefined
    : refusalOf(loaded, row);
  if (invalid === undefined) return entries;
  return entries.map((entry) =>
    entry.result === 'pass'
      ? entry
      : { ...entry, actual: 'invalid policy', result: 'skip', message: invalid },
  );
}

/** Why Kyverno's CLI would refuse the policy of a row. */
function refusalOf({ policies }: LoadedTest, row: ExpectedResult): string | undefined {
  return policyOf(row, policies.classic)?.verdictOfCli().error || undefined;
}

/** The policy of a row, where it is among some. */
function policyOf<P extends { readonly object: JsonObject }>(
  row: ExpectedResult,
  policies: readonly P[],
): P | undefined {
  const name = policyName(row);
  return policies.find(({ object }) => metadataString(object, 'name') === name);
}

/** The entry of a row about which nothing could be found out; the Kyverno CLI says nothing of it. */
function unjudged(loaded: LoadedTest, row: ExpectedResult): TestEntry {
  const message =
    reasonAgainst(loaded, row) ??
    'nothing was compared: the test has no such resource or no such expected object';
  return entryOf(loaded.test, row, { actual: 'not found', result: 'error', message });
}

/** Creates the entry of a row, by default for all resources that it names. */
export function entryOf(
  { file, name }: TestFile,
  {
    policy,
    rule,
    resources,
    result,
  }: Pick<ExpectedResult, 'policy' | 'rule' | 'result'> & Partial<ExpectedResult>,
  said: Partial<TestEntry> & Pick<TestEntry, 'actual' | 'result'>,
): TestEntry {
  const resource = resources?.join(', ') ?? '';
  return { file, name, policy, rule, resource, expected: result, message: '', ...said };
}

/** The resources that a row names; all of them where it names none that is there. */
function selected<T extends TestResource | TestTarget>(
  { resources: names, resourceSpecs }: ExpectedResult,
  { all, byName }: NamedResources<T>,
): readonly T[] {
  if (names === undefined) return all;
  const named = names.flatMap((name) => byName.get(name) ?? []);
  const specified = resourceSpecs.flatMap((spec) => all.filter((one) => isMeant(one, spec)));
  const found = [...named, ...specified];
  return found.length > 0 ? found : all;
}

/** The resources of a test, and those of each name that a row can refer to. */
interface NamedResources<T> {
  readonly all: readonly T[];
  readonly byName: ReadonlyMap<string, readonly T[]>;
}

function nameResources<T extends TestResource | TestTarget>(all: readonly T[]): NamedResources<T> {
  const byName = new Map<string, T[]>();
  for (const resource of all) {
    const { kind, namespace, name } = resource.identity;
    for (const given of kind === '' ? [name] : [name, `${namespace}/${name}`]) {
      getOrMake(byName, given, () => []).push(resource);
    }
  }
  return { all, byName };
}

function isMeant({ identity }: Pick<TestResource, 'identity'>, spec: ResourceSpec): boolean {
  return (
    identity.apiVersion === formatGroupVersion(spec) &&
    identity.namespace === spec.namespace &&
    identity.name === spec.name
  );
}

async function judgeTarget(
  loaded: LoadedTest,
  row: ExpectedResult,
  { identity, changes }: TestTarget,
): Promise<readonly TestEntry[]> {
  const resource = identityText(identity);
  const entries: TestEntry[] = [];
  for (const { result, object } of changes) {
    const verdict = verdictOf(row, result, await compared(loaded, row, object));
    entries.push(entryOf(loaded.test, row, { resource, rule: result.rule, ...verdict }));
  }
  return entries;
}

async function judgeResource(
  loaded: LoadedTest,
  row: ExpectedResult,
  resource: TestResource,
  unsupported: string | undefined,
): Promise<readonly TestEntry[]> {
  const said = (part: Parameters<typeof entryOf>[2]): TestEntry =>
    entryOf(loaded.test, row, { resource: identityText(resource.identity), ...part });
  if (unsupported !== undefined) {
    return [said({ actual: 'unsupported', result: 'error', message: unsupported })];
  }
  const entries: TestEntry[] = [];
  let isLeftOut = false;
  const policy = policyName(row);
  for (const response of resource.responses(row.operation)) {
    if (response.policy !== policy) continue;
    for (const result of response.results) {
      if (!isChecked(row, response, result)) continue;
      if (result.type === 'Generation') {
        entries.push(...(await judgeGeneration(loaded, row, resource, result)));
        continue;
      }
      const comparison = await compared(loaded, row, response.object);
      if (comparison?.outcome === 'missing' && !row.failOnMissingResources) {
        isLeftOut = true;
        continue;
      }
      entries.push(said({ rule: result.rule, ...verdictOf(row, result, comparison) }));
    }
    if (entries.length === 0 && !isLeftOut) {
      entries.push(said({ actual: 'excluded', result: 'pass', message: 'Excluded' }));
    }
  }
  if (entries.length > 0 || isLeftOut) return entries;
  const message = `policy ${row.policy} does not match this resource, or is not among the policies`;
  return [said({ actual: 'not found', result: 'fail', message })];
}

/** Judges each object that a rule generates; a rule that generates nothing by its result alone. */
async function judgeGeneration(
  loaded: LoadedTest,
  row: ExpectedResult,
  { identity: trigger }: TestResource,
  result: Result,
): Promise<readonly TestEntry[]> {
  const { rule, generated = [], problem } = result;
  const said = problem === undefined ? result : { ...result, message: problem };
  if (generated.length === 0) {
    const resource = identityText(trigger);
    return [entryOf(loaded.test, row, { resource, rule, ...verdictOf(row, said, undefined) })];
  }
  const entries: TestEntry[] = [];
  for (const object of generated) {
    const verdict = verdictOf(row, said, await compared(loaded, row, object));
    const resource = identityText(identityOf(object));
    entries.push(entryOf(loaded.test, row, { resource, rule, ...verdict }));
  }
  return entries;
}

/** The name of the policy of a row, without its namespace. */
export function policyName({ policy }: Pick<ExpectedResult, 'policy'>): string {
  return policy.slice(policy.lastIndexOf('/') + 1);
}

/** Why the rule that a row is about is not evaluated. */
function reasonAgainst(
  { policies, serviceRequests }: LoadedTest,
  row: ExpectedResult,
): string | undefined {
  const policy = policyOf(row, policies.unsupported);
  if (policy !== undefined) {
    const isAsked = serviceRequests.some(({ mode }) => mode === policy.policy.mode);
    return isAsked ? undefined : policy.reason;
  }
  const refused = [...(policyOf(row, policies.classic)?.unsupportedRules ?? [])];
  const [, reason] = refused.find(([rule]) => row.rule === '' || row.rule === rule) ?? [];
  return reason;
}

/** Whether a result is one of the rule of a row, or of the rules generated from it. */
function isChecked({ rule }: ExpectedResult, { kind }: Response, result: Result): boolean {
  if (rule === '' || rule === result.rule || rulelessKinds.test(kind)) return true;
  return [`autogen-${rule}`, `autogen-cronjob-${rule}`].includes(result.rule);
}

/** Compares an object with those of the files that a row names; undefined for a row that names none. */
async function compared(
  { expectedObjects }: LoadedTest,
  { patchedResources, generatedResources }: ExpectedResult,
  given: JsonObject | undefined,
): Promise<Comparison | undefined> {
  const object = given ?? {};
  if (patchedResources !== '') {
    const patched = compareWith(object, await expectedObjects(patchedResources));
    if (patched.outcome !== 'equal' || generatedResources.length === 0) return patched;
  }
  let last: Comparison | undefined;
  for (const path of generatedResources) {
    const comparison = compareWith(object, await expectedObjects(path));
    if (comparison.outcome === 'equal') return comparison;
    // A difference says more than a file without the object.
    if (last?.outcome !== 'different') last = comparison;
  }
  return last;
}

type Verdict = Pick<TestEntry, 'actual' | 'result' | 'message'>;

function verdictOf(
  row: ExpectedResult,
  { status, message, type }: Result,
  comparison: Comparison | undefined,
): Verdict {
  if (comparison?.outcome === 'missing') {
    return { actual: 'not found', result: 'fail', message: comparison.message };
  }
  if (comparison?.outcome === 'different') {
    const text =
      type === 'Generation'
        ? "the generated object is not one of the test's `generatedResources`"
        : "the patched resource is not the one of the test's `patchedResources`";
    return { actual: 'different object', result: 'fail', message: text };
  }
  const actual = status === 'warning' ? 'warn' : status;
  return { actual, result: actual === row.result ? 'pass' : 'fail', message };
}
