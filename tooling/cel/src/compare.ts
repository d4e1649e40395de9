import { parseArgs } from 'node:util';
import {
  commandOf,
  type JsonObject,
  parseJson,
  printJson,
  programOf,
} from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { makerOf } from './makers.ts';

/** Patterns for parts of answers that depend on the internals of Go, with their replacements. */
const innerWorkings: readonly (readonly [RegExp, string])[] = [
  // The address of a function.
  [/NamedFormat\(\{(\w+) 0x\w+ \d+\}\)/g, 'NamedFormat($1)'],
  // Type variables are numbered in the order of a map.
  [/_var\d+/g, '_var'],
  // Texts of Go panics are free but for their prefix.
  [/"error":"internal error: (?:[^"\\]|\\.)*"/g, '"error":"internal error"'],
];

/** An answer to an expression without the parts that depend on Go's internals. */
function withoutInnerWorkings({ id: _, ...answer }: JsonObject): JsonObject {
  const text = innerWorkings.reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
    printJson(answer),
  );
  const compared = parseJson(text) as JsonObject;
  return typeof compared['cost'] === 'bigint' ? { ...compared, cost: 'beyond 2^53' } : compared;
}

// Compares random cases of a sort with the oracle.

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    limit: { type: 'string', default: '20' },
    sort: { type: 'string', default: 'expressions' },
  },
});

const comparison = await machineComparison(commandOf('eval'), {
  program: programOf('ORACLE'),
  comparable: withoutInnerWorkings,
  // Where the oracle cannot ask, it says why, and so do we.
  isRefused: () => false,
});
process.exitCode = await comparison.run(cases(), {
  limit: Number(values.limit),
  isShrinking: true,
});

function* cases(): Generator<JsonObject> {
  const next = makerOf(values.sort, Number(values.seed));
  for (let made = 0; made < Number(values.count); made++) {
    yield next(`${values.seed}-${made}`) as unknown as JsonObject;
  }
}
