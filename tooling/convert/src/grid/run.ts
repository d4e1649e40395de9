import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { convertPolicy, proveConversion } from '@kubeadmit/convert';
import { decode, loadSchemas } from '@kubeadmit/schemas';
import { parseLines } from '@kubeadmit/test-support';
import { plainNumbers } from '../collection.ts';
import { clusterObjects, type GridRequest } from './objects.ts';
import { type GridCase, gridCases } from './rules.ts';
import { admissionRequest, asStored, relatedOf, verdictText } from './verdicts.ts';

// Converts policies of the grid and compares both real engines on the same requests:
//   tsx run.ts COUNT --seed N [--area NAME] [--search N] [--oracles FOLDER] [--show] [--reasons] [--record FILE]
// A difference is silent where the rule counts as converted.

const [count = '200', ...flags] = process.argv.slice(2);
const option = (name: string): string | undefined =>
  flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined;
const search = Number(option('--search') ?? '0');
const oracles = option('--oracles') ?? process.env['ORACLES'] ?? '.';
const record = option('--record');
const seed = Number(option('--seed') ?? '1');
const schemas = await loadSchemas();
const calledMessage = 'the webhook is called';

interface Converted {
  readonly given: GridCase;
  readonly objects: readonly JsonObject[];
  status: 'converted' | 'partial' | 'none';
  reason: string;
}

interface Asked {
  readonly converted: Converted;
  readonly request: GridRequest;
}

const cases = gridCases(Number(count), seed, option('--area'));
const converted = cases.map(conversionOf);
const asked = converted
  .filter(({ status }) => status !== 'none')
  .flatMap((each) =>
    each.given.requests.map((request) => ({
      converted: each,
      request: asStored(request, schemas),
    })),
  );
const native = oracle('oracle', ['admit'], asked.map(nativeCase));
const kyverno = oracle(
  'oracle-kyverno',
  ['rules'],
  asked.map((each, at) => kyvernoCase(each, native[at])),
);
const conditional = asked.filter(hasConditions);
const webhookAnswers = oracle('oracle', ['admit'], conditional.map(webhookCase));
const webhooks = new Map(conditional.map((each, at) => [each, webhookAnswers[at]]));
const differing = new Map<Converted, string>();
for (const [at, each] of asked.entries()) {
  const [one, other] = [kyvernoVerdict(each, kyverno[at]), nativeVerdict(each, native[at])];
  if (one === undefined || other === undefined || one === other) continue;
  // Kyverno blocks for an error of a rule that only reports; an admission policy reports it.
  const isError = endsInError(kyverno[at]) || verdictOfWebhook(webhooks.get(each)) === 'deny';
  if (one === 'deny' && other === 'audit' && isError) continue;
  if (!differing.has(each.converted)) {
    differing.set(
      each.converted,
      `${text(each.request)}\n     rule   ${one} ${text(kyverno[at]?.['results']).slice(0, 300)}\n     result ${other} ${text(native[at]?.['response']).slice(0, 300)}`,
    );
  }
}
let silent = 0;
for (const [each, shown] of differing) {
  if (each.status === 'converted' && search > 0) await searched(each);
  if (each.status !== 'converted') continue;
  silent++;
  if (flags.includes('--show'))
    console.log(
      `SILENT ${each.given.id} ${text(rulesOf(each.given))}\n   ${shown}\n     ${text(expressionsOf(each.objects)).slice(0, 700)}`,
    );
}
if (record !== undefined) recordVerdicts(record);
if (flags.includes('--reasons')) {
  for (const [each, shown] of differing) {
    if (each.status === 'partial')
      console.log(`KNOWN ${each.given.id} ${each.reason}\n   ${shown}`);
  }
}
const by = (status: string): number => converted.filter((each) => each.status === status).length;
console.log(
  `${cases.length} policies, ${asked.length} requests: ${by('converted')} converted, ${by('partial')} in part, ${by('none')} not; ${differing.size} differ, ${silent} without a word`,
);

function conversionOf(given: GridCase): Converted {
  const { objects, rules } = convertPolicy(given.policy, { schemas, related: given.related ?? [] });
  const statuses = rules.map(({ status }) => status);
  const isNone = statuses.includes('none');
  return {
    given,
    objects,
    status: isNone ? 'none' : statuses.includes('partial') ? 'partial' : 'converted',
    reason: rules.map(({ reason = '' }) => reason).join('; '),
  };
}

async function searched(each: Converted): Promise<void> {
  const { policy, related = [] } = each.given;
  const made = convertPolicy(policy, { schemas, related });
  const options = { schemas, related, search, most: 3, clock: Date.now };
  const proven = await proveConversion(policy, made, options);
  if (proven.some(({ status }) => status !== 'converted')) each.status = 'partial';
}

function oracle(
  program: string,
  args: readonly string[],
  lines: readonly JsonObject[],
): readonly JsonObject[] {
  if (lines.length === 0) return [];
  const input = lines.map((line) => text(line)).join('\n');
  const output = execFileSync(`${oracles}/${program}`, args, {
    input,
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return parseLines(output.toString());
}

function nativeCase({ converted: { given, objects }, request }: Asked, at: number): JsonObject {
  return {
    id: String(at),
    resources: [...objects, ...clusterObjects, ...relatedOf(given, 'ConfigMap')],
    request: admissionRequest(request),
  };
}

function kyvernoCase(
  { converted: { given }, request }: Asked,
  answer: JsonObject | undefined,
): JsonObject {
  const { operation, object, oldObject, user = 'alice' } = request;
  const { metadata } = (object ?? oldObject) as { metadata: JsonObject };
  const namespace = clusterObjects.find(
    (each) => (each['metadata'] as JsonObject)['name'] === metadata['namespace'],
  );
  const labels = objectOf(objectOf(namespace?.['metadata'])['labels']);
  const configmaps = relatedOf(given, 'ConfigMap');
  const requested = answer?.['requested'] ?? object;
  return {
    id: 'k',
    policies: [given.policy],
    operation,
    resource: operation === 'DELETE' ? oldObject : requested,
    ...(oldObject === undefined ? {} : { oldResource: oldObject }),
    userInfo: { username: user, groups: ['system:authenticated'] },
    namespaceLabels: { ...labels, 'kubernetes.io/metadata.name': metadata['namespace'] },
    exceptions: relatedOf(given, 'PolicyException'),
    context: { configmaps },
    cluster: true,
  };
}

function kyvernoVerdict(asked: Asked, answer: JsonObject | undefined): string | undefined {
  const {
    converted: { given },
    request,
  } = asked;
  if (answer === undefined || answer['panic'] !== undefined || answer['error'] !== undefined)
    return undefined;
  const ofWebhook = verdictOfWebhook(webhooks.get(asked));
  if (ofWebhook !== undefined) return ofWebhook;
  const results = (answer['results'] ?? []) as readonly JsonObject[];
  const isOpen = failsOpen(given);
  const isDenied = results.some(
    ({ status, action }) =>
      (status === 'fail' && action === 'Enforce') || (status === 'error' && !isOpen),
  );
  if (isDenied) return 'deny';
  const isAudited = results.some(({ status }) => status === 'fail' || status === 'warning');
  const patched = answer['patched'];
  // A server rejects an object that it cannot decode.
  if (isObject(patched) && decode(schemas, patched).object === undefined) return 'deny';
  const outcome = isAudited ? 'audit' : 'allow';
  return verdictText(outcome, { before: request.object, after: patched }, schemas);
}

function endsInError(answer: JsonObject | undefined): boolean {
  const results = (answer?.['results'] ?? []) as readonly JsonObject[];
  return (
    results.every(({ status }) => status !== 'fail') &&
    results.some(({ status }) => status === 'error')
  );
}

function failsOpen({ policy }: GridCase): boolean {
  const spec = policy['spec'] as JsonObject;
  const configuration = (spec['webhookConfiguration'] ?? {}) as JsonObject;
  return (configuration['failurePolicy'] ?? spec['failurePolicy']) === 'Ignore';
}

function hasConditions({ converted: { given } }: Asked): boolean {
  const spec = given.policy['spec'] as JsonObject;
  return objectOf(spec['webhookConfiguration'])['matchConditions'] !== undefined;
}

/** A policy that denies the requests for which kube-apiserver calls the webhook of a policy, or would reject them. */
function webhookCase({ converted: { given }, request }: Asked): JsonObject {
  const spec = given.policy['spec'] as JsonObject;
  const { matchConditions } = objectOf(spec['webhookConfiguration']);
  const rules = (spec['rules'] as readonly JsonObject[]).flatMap(webhookOperations);
  const everything = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
  return {
    id: 'w',
    resources: [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'webhook' },
        spec: {
          failurePolicy: failsOpen(given) ? 'Ignore' : 'Fail',
          matchConstraints: { resourceRules: [{ ...everything, operations: [...new Set(rules)] }] },
          matchConditions,
          validations: [{ expression: 'false', message: calledMessage }],
        },
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'webhook' },
        spec: { policyName: 'webhook', validationActions: ['Deny'] },
      },
    ],
    request: admissionRequest(request),
  };
}

function webhookOperations({ match, mutate }: JsonObject): readonly string[] {
  const defaults = mutate === undefined ? ['*'] : ['CREATE', 'UPDATE'];
  const filters = Object.values(match as JsonObject).flat() as readonly JsonObject[];
  return filters.flatMap(({ resources }) => {
    const operations = objectOf(resources)['operations'] as readonly string[] | undefined;
    return operations ?? defaults;
  });
}

/** The verdict of kube-apiserver before it calls the webhook of a policy; undefined if it calls it. */
function verdictOfWebhook(answer: JsonObject | undefined): 'allow' | 'deny' | undefined {
  if (answer === undefined) return undefined;
  const response = objectOf(answer['response']);
  if (response['allowed'] === true) return 'allow';
  return text(response['status']).includes(calledMessage) ? undefined : 'deny';
}

function nativeVerdict({ request }: Asked, answer: JsonObject | undefined): string | undefined {
  if (answer === undefined || answer['failure'] !== undefined) return undefined;
  if (Array.isArray(answer['errors']) && answer['errors'].length > 0)
    return `refused ${text(answer['errors']).slice(0, 300)}`;
  const response = answer['response'] as JsonObject;
  if (response['allowed'] !== true) return 'deny';
  const annotations = (response['auditAnnotations'] ?? {}) as JsonObject;
  const isAudited = Object.keys(annotations).some((key) => /validation_failure/.test(key));
  const object = answer['object'];
  const outcome = isAudited ? 'audit' : 'allow';
  const before = answer['requested'] ?? request.object;
  return verdictText(outcome, { before, after: object }, schemas);
}

/** Kyverno's verdicts on the requests of each case that is converted, for the tests, which have no oracle. */
function recordVerdicts(file: string): void {
  const verdicts: Record<string, string[]> = {};
  for (const [at, each] of asked.entries()) {
    if (each.converted.status !== 'converted' || differing.has(each.converted)) continue;
    const own = kyvernoVerdict(each, kyverno[at]) ?? 'unknown';
    // Errors that Kyverno blocks are reported by a result that only audits.
    const verdict = own === nativeVerdict(each, native[at]) ? own : 'unknown';
    const { id } = each.converted.given;
    verdicts[id] = [...(verdicts[id] ?? []), verdict];
  }
  // Kyverno's code panics on some patches.
  const known = Object.entries(verdicts).filter(([, own]) => !own.includes('unknown'));
  const lines = known.map(([id, own]) => `  ${text(id)}: ${text(own)}`);
  writeFileSync(
    file,
    `{\n"count": ${count},\n"seed": ${seed},\n"verdicts": {\n${lines.join(',\n')}\n}\n}\n`,
  );
}

function rulesOf({ policy, related = [] }: GridCase): unknown {
  const { rules, ...spec } = policy['spec'] as JsonObject;
  return related.length > 0 ? { rules, spec, related } : { rules, spec };
}

function expressionsOf(objects: readonly JsonObject[]): unknown {
  return objects
    .filter(({ kind }) => !String(kind).endsWith('Binding'))
    .map(({ spec }) => {
      const { matchConstraints: _, ...rest } = spec as JsonObject;
      return rest;
    });
}

function text(value: unknown): string {
  return JSON.stringify(value, plainNumbers) ?? '';
}
