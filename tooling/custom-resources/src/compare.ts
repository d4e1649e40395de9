import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseJson as parseValue } from '@kubeadmit/cel';
import {
  comparable,
  describeDifferences,
  differences,
  findCommand,
  inOrder,
  type JsonObject,
  joinLine,
  LineProgram,
  printJson,
  shrink,
} from '@kubeadmit/conformance-tools';
import { type DefinitionInput, validateWithDefinition } from '@kubeadmit/custom-resources';
import { Random } from '@kubeadmit/random';
import { loadSchemas } from '@kubeadmit/schemas';
import { makeCase } from './cases.ts';
import { withNumbers } from './number.ts';
import { sweepCases } from './sweep.ts';

// Compares the validation of random definitions and objects with a running oracle.

const { values } = parseArgs({
  options: {
    oracle: { type: 'string', default: process.env['ORACLE'] ?? 'oracle' },
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    record: { type: 'string' },
    sweep: { type: 'boolean', default: false },
  },
});

const command = findCommand('validate');
if (command === undefined) throw new Error('no such command');
const { oneSided: _, ...validate } = command;
const schemas = await loadSchemas();
const oracle = new LineProgram(values.oracle, ['validate']);
const count = { equal: 0, different: 0, unstable: 0 };
const sorts = new Set<string>();
const shown = new Set<string>();

type Found = ReturnType<typeof differences>;

function ours(text: string): JsonObject {
  try {
    const { id: _, ...input } = parseValue(text, { wholeDoubles: true }) as JsonObject;
    const answer = validateWithDefinition(input as unknown as DefinitionInput, schemas);
    return JSON.parse(JSON.stringify(answer)) as JsonObject;
  } catch (problem) {
    return { thrown: problem instanceof Error ? (problem.stack ?? '') : String(problem) };
  }
}

async function judge(input: JsonObject): Promise<Found | 'unstable'> {
  const text = withNumbers(printJson(input));
  const expected = await ask(text);
  if (String(expected['failure']).startsWith('runtime error')) return [];
  const answer = comparableTo(expected, steady(ours(text)));
  const found = differences(expected, answer);
  if (found.length === 0) {
    record(input, expected);
    return found;
  }
  // Go walks maps in random order: what does not answer twice the same says nothing about order.
  const inAnyOrder = differences(sorted(expected), sorted(answer));
  let isReordered = false;
  for (let times = 0; times < 80; times++) {
    const again = await ask(text);
    if (differences(again, answer).length === 0) return [];
    if (differences(sorted(again), sorted(expected)).length > 0) return 'unstable';
    isReordered ||= differences(again, expected).length > 0;
    if (isReordered && inAnyOrder.length === 0) return [];
  }
  return isReordered ? inAnyOrder : found;
}

/** The oracle does not look at objects of some definitions that would be refused. */
function comparableTo(expected: JsonObject, answer: JsonObject): JsonObject {
  const { definition, object } = expected;
  const isRefused = Array.isArray(definition) && definition.length > 0;
  const isSilent = Array.isArray(object) && object.length === 0;
  if (!isRefused || !isSilent || Object.hasOwn(expected, 'failure')) return answer;
  const { failure: _, ...rest } = answer;
  return { ...rest, object: [] };
}

const longest = 4000;

/** With --record, adds a case that found something to the file, in the form of conformance/validate. */
function record(input: JsonObject, answer: JsonObject): void {
  const says = ['definition', 'object'].some((key) => (answer[key] as unknown[]).length > 0);
  if (values.record === undefined || !says) return;
  const line = withNumbers(
    printJson(joinLine({ ...input, id: `generated/${input['id']}` }, answer)),
  );
  if (line.length <= longest) appendFileSync(values.record, `${line}\n`);
}

function sorted(answer: JsonObject): JsonObject {
  const lists = ['definition', 'object'].map((key) => {
    const list = answer[key];
    return [key, Array.isArray(list) ? list.toSorted() : null] as const;
  });
  return { ...answer, ...Object.fromEntries(lists) };
}

async function ask(text: string): Promise<JsonObject> {
  return steady(await oracle.askText(text));
}

function steady(answer: JsonObject): JsonObject {
  return comparable({ ...validate, oneSided: [] }, answer);
}

async function show(input: JsonObject, found: Found): Promise<void> {
  let last = found;
  const head = sortOf(last);
  if (sorts.has(head)) return;
  sorts.add(head);
  const small = await shrink(input, ['id', 'definition'], async (candidate) => {
    const smaller = await judge(candidate);
    if (smaller === 'unstable' || smaller.length === 0) return false;
    if (sortOf(smaller) !== head) return false;
    last = smaller;
    return true;
  });
  const { id: __, ...rest } = small;
  const text = withNumbers(printJson(rest));
  if (shown.has(text)) return;
  shown.add(text);
  process.stdout.write(`${text}\n${describeDifferences(last)}\n`);
}

/** What a difference is about, without the names and numbers of the case. */
function sortOf([first]: Found): string {
  const textOf = (value: unknown): string =>
    typeof value === 'string'
      ? value.replaceAll(/"[^"]*"|\d+|\[.*?\]/g, '').slice(0, 50)
      : typeof value;
  return `${first?.path.split('[')[0]} ${textOf(first?.expected)} ${textOf(first?.actual)}`;
}

const random = new Random(Number(values.seed));
function* cases(): Generator<JsonObject> {
  for (let made = 0; made < Number(values.count); made++) {
    yield makeCase(random, `${values.seed}-${made}`);
  }
}

for await (const { input, found } of inOrder(
  values.sweep ? sweepCases() : cases(),
  async (input) => ({
    input,
    found: await judge(input),
  }),
)) {
  if (found === 'unstable') count.unstable++;
  else if (found.length === 0) count.equal++;
  else {
    count.different++;
    if (shown.size < Number(values.show)) await show(input, found);
  }
}
oracle.close();
process.stdout.write(
  `${count.equal} equal, ${count.different} different, ${count.unstable} not the same twice\n`,
);
process.exitCode = count.different === 0 ? 0 : 1;
