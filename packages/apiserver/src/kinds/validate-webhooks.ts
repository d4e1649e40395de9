import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
  validateObjectMeta,
} from '@kubeadmit/apimachinery/field-errors';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import type { NamedExpression, ResourceRule } from '@kubeadmit/engine';
import {
  type PolicyCompilers,
  validateMatchConditions,
  validateResourceRule,
} from '@kubeadmit/engine/unstable-internal';
import { deepEqual } from '@kubeadmit/go';
import { metadataOf } from '../objects/metadata.ts';
import { validateClientConfig } from './validate-client-config.ts';

const reviewVersions = ['v1', 'v1beta1'];
const harmless = ['None', 'NoneOnDryRun'];
const sideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

/** The rules of a configuration; updates may keep old values. */
interface Rules {
  readonly compilers: PolicyCompilers;
  readonly old: readonly KubernetesObject[] | undefined;
}

/** Validates the webhooks of a configuration (kubernetes `apis/admissionregistration/validation`). */
export function validateWebhooks(
  configuration: KubernetesObject,
  compilers: PolicyCompilers,
  old?: KubernetesObject,
): FieldError[] {
  const webhooks = memberList(configuration, 'webhooks') as readonly KubernetesObject[];
  const before = old && (memberList(old, 'webhooks') as readonly KubernetesObject[]);
  const rules = { compilers, old: before };
  const isMutating = configuration['kind'] === 'MutatingWebhookConfiguration';
  const wantsUniqueNames = before === undefined || hasUniqueNames(before);
  const ignoresConditions = before !== undefined && hasSameConditions(webhooks, before);
  const names = new Set<string>();
  return webhooks.flatMap((webhook, i) => {
    const at = `webhooks[${i}]`;
    const errors = webhookErrors(webhook, at, rules, isMutating);
    if (!ignoresConditions) errors.push(...conditionErrors(webhook, at, rules));
    errors.push(...versionErrors(webhook, `${at}.admissionReviewVersions`, rules));
    const name = memberText(webhook, 'name');
    if (wantsUniqueNames && names.has(name)) errors.push(duplicate(`${at}.name`, name));
    if (name !== '') names.add(name);
    return errors;
  });
}

/** Validates a webhook configuration from the server's own disk, which has no endpoint. */
export function validateStaticWebhooks(
  configuration: KubernetesObject,
  compilers: PolicyCompilers,
): readonly FieldError[] {
  const rules = { nameRule: 'dns1123Subdomain', namespaced: false } as const;
  return [
    ...validateObjectMeta(metadataOf(configuration), rules),
    ...validateWebhooks(configuration, compilers),
  ];
}

function webhookErrors(
  webhook: KubernetesObject,
  at: string,
  { old }: Rules,
  isMutating: boolean,
): FieldError[] {
  const errors = nameErrors(memberText(webhook, 'name'), `${at}.name`);
  for (const [i, rule] of memberList(webhook, 'rules').entries()) {
    errors.push(...validateResourceRule(rule as ResourceRule, `${at}.rules[${i}]`));
  }
  const oneOf = (name: string, allowed: readonly string[]): void => {
    const value = member(webhook, name) ?? undefined;
    if (value !== undefined && !allowed.includes(String(value))) {
      errors.push(notSupported(`${at}.${name}`, value, allowed));
    }
  };
  oneOf('failurePolicy', ['Fail', 'Ignore']);
  oneOf('matchPolicy', ['Equivalent', 'Exact']);
  const allowed = old === undefined || old.every(isHarmless) ? harmless : sideEffects;
  if ((member(webhook, 'sideEffects') ?? undefined) === undefined) {
    errors.push(required(`${at}.sideEffects`, `must specify one of ${allowed.join(', ')}`));
  }
  oneOf('sideEffects', allowed);
  const seconds = member(webhook, 'timeoutSeconds');
  if (typeof seconds === 'number' && (seconds < 1 || seconds > 30)) {
    const why = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalid(`${at}.timeoutSeconds`, seconds, why));
  }
  for (const name of ['namespaceSelector', 'objectSelector']) {
    const selector = member(webhook, name);
    if (selector) {
      errors.push(...validateLabelSelector(selector as KubernetesObject, `${at}.${name}`));
    }
  }
  if (isMutating) oneOf('reinvocationPolicy', ['IfNeeded', 'Never']);
  errors.push(...validateClientConfig(member(webhook, 'clientConfig'), `${at}.clientConfig`));
  return errors;
}

function isHarmless(webhook: KubernetesObject): boolean {
  return harmless.includes(memberText(webhook, 'sideEffects'));
}

function nameErrors(name: string, at: string): FieldError[] {
  if (name === '') return [required(at)];
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalid(at, name, problems.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(at, name, 'should be a domain with at least three segments separated by dots')];
}

function conditionErrors(
  webhook: KubernetesObject,
  at: string,
  { compilers, old }: Rules,
): FieldError[] {
  const conditions = memberList(webhook, 'matchConditions') as readonly NamedExpression[];
  const stored = (old ?? []).flatMap((each) =>
    (memberList(each, 'matchConditions') as readonly NamedExpression[]).map(
      ({ expression = '' }) => expression,
    ),
  );
  const role = {
    checker: compilers.plain,
    scope: { params: false, authorizer: true, patchTypes: false },
    stored: new Set(stored),
  };
  return validateMatchConditions(conditions, role, `${at}.matchConditions`);
}

function versionErrors(webhook: KubernetesObject, at: string, { old }: Rules): FieldError[] {
  const versions = memberList(webhook, 'admissionReviewVersions') as readonly string[];
  const known = reviewVersions.join(', ');
  if (versions.length === 0) return [required(at, `must specify one of ${known}`)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalid(`${at}[${i}]`, version, 'duplicate version'));
      continue;
    }
    seen.add(version);
    for (const why of dns1035LabelProblems(version)) {
      errors.push(invalid(`${at}[${i}]`, version, why));
    }
  }
  const wantsKnown = old === undefined || old.every(hasKnownVersion);
  if (wantsKnown && !hasKnownVersion(webhook)) {
    errors.push(invalid(at, versions, `must include at least one of ${known}`));
  }
  return errors;
}

function hasKnownVersion(webhook: KubernetesObject): boolean {
  return memberList(webhook, 'admissionReviewVersions').some((version) =>
    reviewVersions.includes(String(version)),
  );
}

function hasUniqueNames(webhooks: readonly KubernetesObject[]): boolean {
  return new Set(webhooks.map((webhook) => memberText(webhook, 'name'))).size === webhooks.length;
}

function hasSameConditions(
  webhooks: readonly KubernetesObject[],
  old: readonly KubernetesObject[],
): boolean {
  return (
    webhooks.length === old.length &&
    webhooks.every((webhook, i) =>
      deepEqual(memberList(webhook, 'matchConditions'), memberList(old[i], 'matchConditions')),
    )
  );
}
