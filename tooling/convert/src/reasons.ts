import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { convertCollection, rulesOf } from './collection.ts';

// Converts a collection of Kyverno policies and lists the rules that do not convert, by reason:
//   tsx reasons.ts FOLDER [--all]

const [folder = '.', ...flags] = process.argv.slice(2);

/** Returns the feature of a rule that admission policies cannot support because it needs more than the request. */
function outOfScope(rule: JsonObject): string | undefined {
  const asked = contextSources(rule);
  for (const source of ['apiCall', 'imageRegistry', 'globalReference']) {
    if (asked.has(source)) return source;
  }
  const { validate, mutate } = rule;
  if (isObject(mutate) && mutate['targets'] !== undefined) return 'targets';
  if (isObject(validate) && validate['manifests'] !== undefined) return 'manifests';
  const text = JSON.stringify(rule, (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  const random = /\b(?:random|time_now_utc|time_now|image_normalize|x509_decode)\(/.exec(text)?.[0];
  return random;
}

function contextSources(value: unknown): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((each) => [...contextSources(each)]));
  if (!isObject(value)) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, item]) =>
      key === 'context' && Array.isArray(item)
        ? item.filter(isObject).flatMap(Object.keys)
        : [...contextSources(item)],
    ),
  );
}

const begun = performance.now();
const collection = await convertCollection(folder);
const duration = performance.now() - begun;
for (const type of ['validate', 'mutate'] as const) {
  const counts = { all: 0, scope: 0, converted: 0, partial: 0 };
  const reasons = new Map<string, string[]>();
  for (const { file, policy, conversion } of collection) {
    for (const [at, rule] of rulesOf(policy).entries()) {
      if (rule[type] === undefined) continue;
      const told = conversion.rules[at];
      if (told === undefined) throw new Error(`${file}: a rule is not told of`);
      counts.all++;
      const without = outOfScope(rule);
      if (without === undefined) counts.scope++;
      if (told.status === 'converted') counts.converted++;
      else {
        if (told.status === 'partial') counts.partial++;
        if (without !== undefined && !flags.includes('--all')) continue;
        const reason = `${told.status}: ${told.reason}`;
        const known = reasons.get(reason) ?? [];
        known.push(
          `${file.slice(folder.length)} ${told.rule}${without === undefined ? '' : ` (${without})`}`,
        );
        reasons.set(reason, known);
      }
    }
  }
  const share = ((100 * counts.converted) / counts.scope).toFixed(1);
  console.log(
    `${type}: ${counts.all} rules, ${counts.scope} in scope, ${counts.converted} converted in full (${share} %), ${counts.partial} in part`,
  );
  for (const [reason, places] of [...reasons].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`  ${places.length}: ${reason}`);
    for (const place of places) console.log(`      ${place}`);
  }
}
console.log(`${collection.length} policies in ${(duration / 1000).toFixed(1)} s`);
