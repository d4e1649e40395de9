import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Conversion, convertPolicy, isConvertible } from '@kubeadmit/convert';
import { Source, stringifyYaml } from '@kubeadmit/manifest';
import { loadSchemas } from '@kubeadmit/schemas';
import {
  type ExpectedResult,
  KyvernoTestRun,
  readTests,
  type TestEntry,
  type TestFile,
  type TestHost,
} from '@kubeadmit/testing/other-tools';
import { filesBelow, objectsOf } from './collection.ts';
import { readKnown } from './proofs.ts';
import { askAsServer } from './server-row.ts';

// Runs the tests of a collection (`kyverno-test.yaml`) with its converted policies in place of Kyverno's:
//   tsx published-tests.ts FOLDER [--part TEXT] [--record FILE]

const [folder = '.', ...flags] = process.argv.slice(2);
const option = (name: string): string | undefined =>
  flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined;

/** A row of a test on one resource: the expectation, and the combined results of the rule. */
interface Judged {
  readonly test: string;
  readonly rule: string;
  readonly resource: string;
  readonly expected: string;
  readonly actual: string;
  readonly isHeld: boolean;
  /** Whether it passes when the object is handled as by a server rather than by the Kyverno CLI. */
  readonly isHeldByServer?: boolean;
}

const schemas = await loadSchemas();
const conversions = new Map<string, readonly Conversion[]>();

const files = filesBelow(folder, /^kyverno-test\.yaml$/, true).filter((file) =>
  file.includes(option('--part') ?? ''),
);
const judged: Judged[] = [];
let unconverted = 0;
for (const file of files) {
  for (const test of readTests(new Source(file, readFileSync(file, 'utf8'))).tests) {
    judged.push(...(await judgeTest(test)));
  }
}
const known = readKnown();
const reasonFor = ({ rule }: Judged): string | undefined =>
  known.find(({ outcome, rules }) => outcome === 'test' && rules.includes(rule))?.reason;
const open = judged.filter(({ isHeld, isHeldByServer }) => !isHeld && isHeldByServer !== true);
for (const each of open) {
  const { test, rule, resource, expected, actual } = each;
  console.log(
    `${test} ${rule} ${resource}: expected ${expected}, but ${actual} (${reasonFor(each) ?? 'no reason is known'})`,
  );
}
const held = judged.filter(({ isHeld }) => isHeld).length;
const byServer = judged.filter(({ isHeldByServer }) => isHeldByServer === true).length;
console.log(
  `${files.length} files, ${judged.length} rows on resources: ${held} hold as they are, ${byServer} more as a server asks, ${open.length} do not, ${open.filter((each) => reasonFor(each) !== undefined).length} of them with a reason; ${unconverted} rows are of rules that do not convert`,
);
const record = option('--record');
if (record !== undefined) {
  const lines = open.map((each) => JSON.stringify({ ...each, reason: reasonFor(each) }));
  writeFileSync(record, `${lines.join('\n')}\n`);
}

async function judgeTest(test: TestFile): Promise<readonly Judged[]> {
  const made = test.policies.flatMap((path) => converted(join(dirname(test.file), path)));
  if (made.length === 0) return [];
  const run = new KyvernoTestRun(test, { host: hostOf(test) });
  const found: Judged[] = [];
  for (const row of test.results) {
    const policy = row.policy.split('/').at(-1);
    const rules = made
      .flatMap(({ rules: all }) => all)
      .filter((each) => each.policy.split('/').at(-1) === policy)
      .filter(({ rule }) => row.rule === '' || ownNames(rule ?? '').includes(row.rule));
    if (rules.length === 0) continue;
    const names = rules
      .flatMap(({ results }) => results)
      .filter((name) => /AdmissionPolicy\//.test(name));
    if (names.length === 0) {
      unconverted++;
      continue;
    }
    const entries: TestEntry[] = [];
    for (const name of names) {
      const own = { ...row, policy: name.slice(name.indexOf('/') + 1), rule: '' };
      entries.push(...(await run.judge(own)));
    }
    // A patched object is the result of all rules of the policy together.
    const isWhole = row.patchedResources !== '' && row.result !== 'skip';
    const objects = made
      .filter((each) => each.rules.some((rule) => rules.includes(rule)))
      .flatMap((each) => each.objects)
      .filter(({ metadata, spec }) => {
        const own = (spec as JsonObject)['policyName'] ?? (metadata as JsonObject)['name'];
        return isWhole || names.some((each) => each.endsWith(`/${String(own)}`));
      });
    for (const each of together(test, row, entries)) {
      const asked = { test, row, resource: each.resource, objects, schemas };
      found.push(each.isHeld ? each : { ...each, ...(await askAsServer(asked)) });
    }
  }
  return found;
}

function ownNames(rule: string): readonly string[] {
  return [rule, `autogen-${rule}`, `autogen-cronjob-${rule}`];
}

// A rule and those generated from it are several policies, of which one at most is about a resource.
function together(
  test: TestFile,
  row: ExpectedResult,
  entries: readonly TestEntry[],
): readonly Judged[] {
  const resources = [...new Set(entries.map(({ resource }) => resource))];
  return resources.map((resource) => {
    const own = entries.filter((entry) => entry.resource === resource);
    const said = own.filter(({ actual }) => actual !== 'excluded' && actual !== 'not found');
    const [first] = said;
    const actual = first?.actual ?? 'skip';
    const isHeld =
      first === undefined ? row.result !== 'fail' : said.every((entry) => holds(row, entry));
    return {
      test: test.file.slice(folder.length).replace(/^\//, ''),
      rule: `${row.policy}/${row.rule}`,
      resource,
      expected: row.result,
      actual: isHeld ? actual : `${actual}: ${first?.message ?? ''}`,
      isHeld,
    };
  });
}

// An object that the conditions exclude may either pass or be skipped.
function holds({ result: expected }: ExpectedResult, { actual, result }: TestEntry): boolean {
  if (result === 'pass') return true;
  return ['pass', 'skip'].includes(expected) && ['pass', 'skip'].includes(actual);
}

function converted(path: string): readonly Conversion[] {
  const known = conversions.get(path);
  if (known !== undefined) return known;
  const related = readObjects(path);
  const made = related
    .filter(isConvertible)
    .map((policy) => convertPolicy(policy, { schemas, related }));
  conversions.set(path, made);
  return made;
}

function readObjects(path: string): readonly JsonObject[] {
  try {
    return objectsOf(path);
  } catch {
    return [];
  }
}

// Reads the test's own files, with conversions in place of the policies.
function hostOf(test: TestFile): TestHost {
  return {
    read: async (path, from) => {
      const full = join(dirname(from), path);
      if (!test.policies.includes(path)) {
        return { sources: [new Source(full, readFileSync(full, 'utf8'))], problems: [] };
      }
      const objects = converted(full).flatMap((each) => each.objects);
      return {
        sources: [new Source(full, objects.map(stringifyYaml).join('---\n'))],
        problems: [],
      };
    },
    warn: () => undefined,
    clock: Date.now,
  };
}
