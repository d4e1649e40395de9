import { parseArgs } from 'node:util';
import { commandOf, type JsonObject, programOf } from '@kubeadmit/conformance-tools';
import { machineComparison } from '@kubeadmit/conformance-tools/machine';
import { withoutInnerWorkings } from './inner-workings.ts';
import { makerOf } from './makers.ts';

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
