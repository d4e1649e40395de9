/** Compares the cases of a file with the oracle: file.ts CASES.ndjson */

import { readFileSync } from 'node:fs';
import { loadSchemas } from '@kubeadmit/schemas';
import { decodeAll } from '@kubeadmit/schemas/internal';
import { askOracle, canonical, type DecodeCase } from './oracle.ts';

const cases = readFileSync(process.argv[2] as string, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as DecodeCase);
const schemas = await loadSchemas();
let same = 0;
for (const [index, theirs] of askOracle(cases).entries()) {
  const each = cases[index] as DecodeCase;
  const ours = { id: each.id, ...decodeAll(schemas, each.resources) };
  if (canonical(ours) === canonical(theirs)) same++;
  else console.log(`${each.id}\n  ours   ${canonical(ours)}\n  theirs ${canonical(theirs)}`);
}
console.log(`${same} of ${cases.length} equal`);
