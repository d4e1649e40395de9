import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import {
  convertPolicy,
  type Differences,
  isConvertible,
  proveRule,
  type RuleConversion,
} from '@kubeadmit/convert';
import { loadSchemas } from '@kubeadmit/schemas';
import { filesBelow, objectsOf } from './collection.ts';
import { type ProvenRule, readKnown, tableOf } from './proofs.ts';

// Compares each converted rule of a collection with its result on requests made by search, begun from the
// collection's own test objects:
//   tsx prove.ts FOLDER REQUESTS [--part REGEXP] [--shard 1/2] [--show] [--record FILE]

const [folder = '.', requests = '2000', ...flags] = process.argv.slice(2);
const option = (name: string): string | undefined =>
  flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined;
const part = new RegExp(option('--part') ?? '');
const schemas = await loadSchemas();
const known = readKnown();
const proven: ProvenRule[] = [];
const [shard, shards] = (option('--shard') ?? '1/1').split('/').map(Number) as [number, number];
const files = filesBelow(folder, /\.ya?ml$/)
  .filter((each) => part.test(each))
  .filter((_, at) => at % shards === shard - 1);
for (const file of files) {
  for (const policy of objectsOf(file).filter(isConvertible)) {
    const conversion = convertPolicy(policy, { schemas });
    for (const told of conversion.rules) {
      const resources = besides(file);
      const begun = process.cpuUsage();
      const found = await proveRule(policy, told, conversion.objects, {
        schemas,
        resources,
        related: resources.filter(isLookedUp),
        search: Number(requests),
        most: 5,
        clock: Date.now,
      });
      if (found === undefined) continue;
      const { user, system } = process.cpuUsage(begun);
      const rule = ruleOf(file, told, found);
      proven.push(rule);
      if (rule.outcome !== 'equal' || flags.includes('--show')) {
        console.log(
          `${rule.outcome.toUpperCase()} ${rule.rule} (${found.differences.length} of ${found.requests}, ${Math.round((user + system) / 1000)} ms): ${rule.reasons.join('; ')}`,
        );
      }
      if (flags.includes('--show')) show(found);
    }
  }
}
console.log(tableOf(proven));
const record = option('--record');
if (record !== undefined) {
  const lines = proven.map((rule) => JSON.stringify(rule));
  writeFileSync(record, `${lines.join('\n')}\n`);
}

function ruleOf(file: string, told: RuleConversion, found: Differences): ProvenRule {
  const name = `${told.policy} ${told.rule ?? ''}`.trim();
  const rule = `${file.slice(folder.length).replace(/^\//, '')} ${name}`;
  const given = known.filter(({ rules }) => rules.some((each) => rule.includes(each)));
  const { differences, covered, refused } = found;
  const open = differences.filter(
    ({ reason }) =>
      reason === undefined &&
      told.status !== 'partial' &&
      !isExplained(told) &&
      !given.some(({ outcome }) => outcome === 'different'),
  );
  const outcome =
    refused.length > 0
      ? 'refused'
      : differences.length === 0
        ? covered.old === 0 && covered.new === 0
          ? 'silent'
          : 'equal'
        : open.length === 0
          ? 'explained'
          : 'different';
  const reasons = [
    ...refused.map(({ message }) => message),
    ...differences.flatMap(({ reason }) => reason ?? []),
    ...(outcome === 'equal' ? [] : given.map(({ reason }) => reason)),
    ...(differences.length > 0 && told.reason !== undefined ? [told.reason] : []),
  ];
  return { rule, outcome, requests: found.requests, reasons: [...new Set(reasons)] };
}

// What the report says of a result besides that its resource is not known is about differences.
function isExplained({ reason = '' }: RuleConversion): boolean {
  return reason
    .split('; ')
    .some((part) => part !== '' && !/resource of|CustomResourceDefinition/.test(part));
}

// The collection's objects beside a policy: what it is tested with.
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
