// Measures the time and memory that loading policies takes:
//   pnpm --filter @kubeadmit/admission... build && node --expose-gc bench/load.js

import { admit, loadCluster } from '@kubeadmit/admission';
import { loadSchemas } from '@kubeadmit/schemas';
import { scenarios } from './scenarios.js';

const plain = memory();
const schemas = await loadSchemas();
const { resources, request } = scenarios['10 of 10,000 policies'];
const rows = [];
for (const policies of [1_000, 10_000]) {
  const loaded = resources.slice(0, 1 + 2 * policies);
  const start = performance.now();
  const cluster = loadCluster({ resources: loaded, schemas });
  admit(cluster, request);
  const loadTime = performance.now() - start;
  const held = memory() - plain;
  const again = performance.now();
  const next = loadCluster({ resources: structuredClone(loaded), schemas, previous: cluster });
  admit(next, request);
  rows.push({ policies, loadTime, held, reloadTime: performance.now() - again });
}
console.log('| policies | loaded, ms | loaded again, ms | resident memory over the start, MB |');
console.log('| ---: | ---: | ---: | ---: |');
for (const { policies, loadTime, reloadTime, held } of rows) {
  console.log(
    `| ${policies} | ${loadTime.toFixed(0)} | ${reloadTime.toFixed(0)} | ${held.toFixed(0)} |`,
  );
}

/** Resident memory in MB. */
function memory() {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}
