import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Comparison,
  commandOf,
  comparable,
  type JsonObject,
  joinLine,
  printJson,
  programOf,
} from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { Random } from '@kubeadmit/random';
import { makeCase } from './cases.ts';
import { costSweepCases } from './cost-sweep.ts';
import { sweepCases } from './sweep.ts';

// Compares the validation of random definitions and objects with the oracle, or records the results of both.

/** How long a recorded case may be. */
const longest = 4000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    limit: { type: 'string', default: '10' },
    record: { type: 'string' },
    sweep: { type: 'boolean', default: false },
    costs: { type: 'boolean', default: false },
  },
});

const validate = commandOf('validate');
const comparison = await machineComparison(validate, {
  program: programOf('ORACLE'),
  comparable: (answer, expected) => besides(expected, comparable(validate, answer)),
  isRefused: ({ failure }) => String(failure).startsWith('runtime error'),
});
const cases = values.costs ? costSweepCases() : values.sweep ? sweepCases() : randomCases();
process.exitCode =
  values.record === undefined
    ? await comparison.run(cases, { limit: Number(values.limit), isShrinking: true })
    : await record(comparison, values.record);

function* randomCases(): Generator<JsonObject> {
  const random = new Random(Number(values.seed));
  for (let made = 0; made < Number(values.count); made++) {
    yield makeCase(random, `${values.seed}-${made}`);
  }
}

/** The oracle does not look at objects of some definitions that would be refused. */
function besides({ definition, object, failure }: JsonObject, answer: JsonObject): JsonObject {
  const isRefused = Array.isArray(definition) && definition.length > 0;
  const isSilent = Array.isArray(object) && object.length === 0;
  if (!isRefused || !isSilent || failure !== undefined) return answer;
  const { failure: _, ...rest } = answer;
  return { ...rest, object: [] };
}

/**
 * Adds the cases in which both sides find something to a file, in the form of conformance/validate. Returns the exit
 * code: 1 where cases were left out because they differ.
 */
async function record(asked: Comparison, file: string): Promise<number> {
  let recorded = 0;
  let different = 0;
  for await (const { kind, input, expected } of asked.verdicts(cases)) {
    if (kind === 'different') different++;
    if (kind !== 'equal' || !findsSomething(expected)) continue;
    const line = printJson(joinLine({ ...input, id: `generated/${input['id']}` }, expected));
    if (line.length > longest) continue;
    appendFileSync(file, `${line}\n`);
    recorded++;
  }
  process.stderr.write(`${recorded} recorded, ${different} different and left out\n`);
  return different === 0 ? 0 : 1;
}

function findsSomething({ definition, object }: JsonObject): boolean {
  return [definition, object].some((found) => Array.isArray(found) && found.length > 0);
}
