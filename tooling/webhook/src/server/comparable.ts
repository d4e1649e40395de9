import type { Ended } from '@kubeadmit/test-support';
import type { Answer } from './api-server.ts';
import { isObject, type JsonObject } from './json.ts';

/** The two namespaces: policies of the server's own act in one, the webhook in the other. */
export const namespaces = { native: 'compare-native', webhook: 'compare-webhook' } as const;

/** The names of the webhooks in their configurations. */
export const webhookNames = {
  mutate: 'mutate.kubeadmit.dev',
  validate: 'validate.kubeadmit.dev',
} as const;

const prefixes =
  /(?:admission webhook "[a-z]+\.kubeadmit\.dev" denied the request: |[a-z.]+ "[^"]*" is forbidden: (?=ValidatingAdmissionPolicy |policy '))/g;
const own = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'clusterIP',
  'clusterIPs',
  'token',
];
const random = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|\ba-[a-z0-9]{5}\b/g;

/** An answer without the parts that differ by design: the namespace, the prefix of denials, times and identifiers. */
export function comparableAnswer(answer: Answer, annotations: JsonObject | undefined): JsonObject {
  return {
    code: answer.code,
    warnings: answer.warnings.map(comparableText).sort(),
    body: comparableValue(answer.body),
    annotations: comparableAnnotations(annotations ?? {}),
  };
}

/** Returns the output of kubectl without the parts that necessarily differ. */
export function comparableOutput({ exitCode, stdout, stderr }: Ended): JsonObject {
  return { code: exitCode, stdout: comparableText(stdout), stderr: comparableText(stderr) };
}

function comparableText(text: string): string {
  return text
    .replaceAll(namespaces.webhook, namespaces.native)
    .replace(prefixes, '')
    .replace(random, '…');
}

function comparableValue(value: unknown): unknown {
  if (typeof value === 'string') return comparableText(value);
  if (Array.isArray(value)) return value.map(comparableValue);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => !own.includes(key));
  return Object.fromEntries(members.map(([key, member]) => [key, comparableValue(member)]));
}

const failures = 'validation.policy.admission.k8s.io/validation_failure';

// The audit annotations of policies, under the names that webhooks may use.
function comparableAnnotations(annotations: JsonObject): JsonObject {
  const found: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(annotations)) {
    const text = comparableText(String(value));
    if (key === failures) found['validation_failure'] = sortedFailures(text);
    else if (key.startsWith('v-')) found[key.replace('/', '.')] = text;
    else if (key === `${webhookNames.validate}/validation_failure`) {
      found['validation_failure'] = sortedFailures(text);
    } else if (key.startsWith(`${webhookNames.validate}/`))
      found[key.slice(key.indexOf('/') + 1)] = text;
  }
  return found;
}

// The server asks policies in no fixed order.
function sortedFailures(text: string): string[] {
  return (JSON.parse(text) as unknown[]).map((failure) => JSON.stringify(failure)).sort();
}

/** A comparable answer without the differences between server versions: pods have no generation. */
export function acrossVersions(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/(?<=pod updates may not change )[\s\S]*/, '…');
  if (Array.isArray(value)) return value.map(acrossVersions);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'generation');
  return Object.fromEntries(members.map(([key, member]) => [key, acrossVersions(member)]));
}
