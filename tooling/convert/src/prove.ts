import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { convertPolicy, isConvertible, proveRule, type RuleConversion } from '@kubeadmit/convert';
import type { Differences, KnownDifference } from '@kubeadmit/difference';
import { loadSchemas } from '@kubeadmit/schemas';
import { filesBelow, objectsOf } from './collection.ts';
import { type KnownOutcome, type ProvenRule, readKnown, readProofs, tableOf } from './proofs.ts';

// Compares each converted rule of a collection with its result on requests made by search, begun from the
// collection's own test objects:
//   tsx prove.ts FOLDER REQUESTS [--part REGEXP] [--shard 1/2] [--show] [--record FILE]

const [folder = '.', requests = '2000', ...flags] = process.argv.slice(2);
const option = (name: string): string | undefined =>
  flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined;
const part = new RegExp(option('--part') ?? '');
const schemas = await loadSchemas();
const known = readKnown();
const record = option('--record');
// Skips results that are already recorded, so that an interrupted run can continue.
const proven: ProvenRule[] = record === undefined ? [] : [...readProofs(record)];
const done = new Set(proven.map(({ rule }) => rule));
const [shard, shards] = (option('--shard') ?? '1/1').split('/').map(Number) as [number, number];
const files = filesBelow(folder, /\.ya?ml$/)
  .filter((each) => part.test(each))
  .filter((_, at) => at % shards === shard - 1);
for (const file of files) {
  for (const policy of objectsOf(file).filter(isConvertible)) {
    const conversion = convertPolicy(policy, { schemas });
    for (const told of conversion.rules) {
      if (done.has(nameOf(file, told))) continue;
      const resources = besides(file);
      const begun = process.cpuUsage();
      const found = await proveRule(policy, told, conversion.objects, {
        schemas,
        resources,
        related: resources.filter(isLookedUp),
        search: Number(requests),
        known: known.flatMap(knownCause(nameOf(file, told))),
        most: 5,
        clock: Date.now,
      });
      if (found === undefined) continue;
      const shown = isSilent(found)
        ? await withServedVersions(policy, told.rule, resources)
        : undefined;
      const { user, system } = process.cpuUsage(begun);
      const rule = { ...ruleOf(file, told, found), ...(shown === undefined ? {} : { shown }) };
      proven.push(rule);
      if (record !== undefined) appendFileSync(record, `${JSON.stringify(rule)}\n`);
      if (rule.outcome !== 'equal' || flags.includes('--show')) {
        const reasons = [
          ...(rule.reasons ?? []),
          ...found.explained.map((each) => `${each.requests} ${each.reason}`),
        ];
        console.log(
          `${rule.outcome.toUpperCase()} ${rule.rule} (${rule.open ?? 0} of ${found.requests}, ${Math.round((user + system) / 1000)} ms): ${reasons.join('; ')}`,
        );
      }
      if (flags.includes('--show')) show(found);
    }
  }
}
console.log(tableOf(proven));

// Repeats the search with served versions for a rule about API versions that are no longer served.
// If both sides then report the same results, the versions were the only cause of the silence.
async function withServedVersions(
  policy: JsonObject,
  name: string | undefined,
  resources: readonly JsonObject[],
): Promise<ProvenRule['shown']> {
  const served = (value: unknown): JsonObject =>
    JSON.parse(
      text(value)
        .replace(/\bv1beta[1-3]\b/g, 'v1')
        .replace(/\bv2beta[12]\b/g, 'v2'),
    ) as JsonObject;
  const changed = served(policy);
  const { rules, objects } = convertPolicy(changed, { schemas });
  const told = rules.find(({ rule }) => rule === name);
  if (told === undefined) return undefined;
  const found = await proveRule(changed, told, objects, {
    schemas,
    resources: resources.map(served),
    search: Number(requests),
    most: 5,
    clock: Date.now,
  });
  if (found === undefined || isSilent(found) || found.refused.length > 0) return undefined;
  return {
    instead: 'v1 in place of v1beta1 to v1beta3, v2 in place of v2beta1 and v2beta2',
    requests: found.requests,
    differences: found.differences.length,
  };
}

function isSilent({ covered }: Differences): boolean {
  return covered.old === 0 && covered.new === 0;
}

function nameOf(file: string, told: RuleConversion): string {
  const name = `${told.policy} ${told.rule ?? ''}`.trim();
  return `${file.slice(folder.length).replace(/^\//, '')} ${name}`;
}

// A reason that was found by manual review counts only for requests about its kind.
function knownCause(rule: string) {
  return ({ outcome, reason, rules, kind }: KnownOutcome): readonly KnownDifference[] =>
    outcome === 'different' && rules.some((each) => rule.includes(each))
      ? [{ reason, explains: (request) => request.kind?.kind === kind }]
      : [];
}

function ruleOf(file: string, told: RuleConversion, found: Differences): ProvenRule {
  const rule = nameOf(file, told);
  const { differences, refused, explained, requests } = found;
  const open = differences.filter(({ reason }) => reason === undefined);
  const outcome =
    refused.length > 0
      ? 'refused'
      : open.length > 0
        ? 'different'
        : explained.length > 0
          ? 'explained'
          : isSilent(found)
            ? 'silent'
            : 'equal';
  const given = known.filter(
    (each) => each.outcome === outcome && each.rules.some((part) => rule.includes(part)),
  );
  return {
    rule,
    outcome,
    requests,
    ...(explained.length === 0 ? {} : { explained }),
    ...(open.length === 0 ? {} : { open: open.length }),
    ...(outcome === 'silent' || outcome === 'refused'
      ? {
          reasons: [...refused.map(({ message }) => message), ...given.map(({ reason }) => reason)],
        }
      : {}),
  };
}

// The collection's objects beside a policy, as its test data.
function besides(file: string): readonly JsonObject[] {
  return filesBelow(dirname(file), /\.ya?ml$/, true)
    .filter((each) => each !== file)
    .flatMap((each) => objectsOf(each))
    .filter(({ kind, apiVersion, metadata }) => {
      const isTest = /kyverno|chainsaw/.test(String(apiVersion));
      return (
        typeof kind === 'string' && typeof apiVersion === 'string' && !isTest && isObject(metadata)
      );
    });
}

function isLookedUp({ kind }: JsonObject): boolean {
  return kind === 'ConfigMap' || kind === 'Namespace';
}

function show({ differences }: Differences): void {
  for (const { request, old, new: now, reason } of differences) {
    const { operation, object, oldObject, userInfo } = request;
    console.log(
      '   request',
      operation,
      userInfo?.username,
      text(object),
      isObject(oldObject) ? `old ${text(oldObject)}` : '',
    );
    console.log('   old', text(old), reason ?? '');
    console.log('   new', text(now));
  }
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)) ?? '';
}
