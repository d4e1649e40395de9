import { dirname } from 'node:path';
import { isObject, type JsonObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { findDifferences } from '@kubeadmit/convert';
import { loadSchemas } from '@kubeadmit/schemas';
import { convertCollection, filesBelow, objectsOf, rulesOf } from './collection.ts';

// Compares each converted rule of a collection with its result on requests made by search, begun from the
// collection's own test objects:
//   tsx prove.ts FOLDER REQUESTS [PART-OF-PATH] [--mutate|--validate] [--quiet]

const [folder = '.', requests = '200', part = '', ...flags] = process.argv.slice(2);
const schemas = await loadSchemas();
const counts = { rules: 0, equal: 0, silent: 0, different: 0 };
for (const { file, policy, conversion } of await convertCollection(folder, schemas)) {
  if (!file.includes(part)) continue;
  for (const [at, rule] of rulesOf(policy).entries()) {
    const told = conversion.rules[at];
    if (told === undefined || told.results.length === 0) continue;
    if (flags.includes('--mutate') && rule['mutate'] === undefined) continue;
    if (flags.includes('--validate') && rule['validate'] === undefined) continue;
    const made = conversion.objects.filter(({ kind, metadata }) =>
      told.results.includes(`${String(kind)}/${String((metadata as JsonObject)['name'])}`),
    );
    const spec = policy['spec'] as JsonObject;
    const resources = filesBelow(dirname(file), /\.ya?ml$/, true)
      .filter((each) => each !== file)
      .flatMap((each) => objectsOf(each))
      .filter(
        ({ kind, apiVersion }) =>
          kind !== undefined && !/kyverno|chainsaw/.test(String(apiVersion)),
      );
    const found = await findDifferences({
      old: [
        { ...policy, spec: { ...spec, rules: [rule] } },
        ...resources,
      ] as unknown as KubernetesObject[],
      new: [...made, ...resources] as unknown as KubernetesObject[],
      schemas,
      resources: resources as unknown as KubernetesObject[],
      search: Number(requests),
      likeness: 'verdicts',
      most: 3,
      clock: Date.now,
    });
    counts.rules++;
    if (found.differences.length > 0) counts.different++;
    else if (found.covered.old === 0) counts.silent++;
    else counts.equal++;
    const where = `${file.slice(folder.length)} ${told.rule}`;
    if (found.refused.length > 0)
      console.log(`REFUSED ${where}: ${JSON.stringify(found.refused).slice(0, 400)}`);
    if (found.differences.length > 0) {
      console.log(
        `DIFFERENT ${where} (${found.differences.length} of ${found.requests})${told.reason === undefined ? '' : ` known: ${told.reason}`}`,
      );
      if (flags.includes('--quiet')) continue;
      for (const { request, old, new: now } of found.differences) {
        console.log(
          '   request',
          request.operation,
          text(request.object),
          isObject(request.oldObject) ? `old ${text(request.oldObject)}` : '',
        );
        console.log('   old', text(old));
        console.log('   new', text(now));
      }
    } else if (found.covered.old === 0) console.log(`SILENT ${where} (${found.requests})`);
  }
}
console.log(JSON.stringify(counts));

function text(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
}
