import {
  type FieldError,
  formatFieldError,
  isObject,
  type KubernetesObject,
} from '@kubeadmit/apimachinery';
import {
  duplicate,
  formatAggregate,
  invalid,
  memberObject,
  memberText,
  memberTexts,
} from '@kubeadmit/apimachinery/internal';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { jsonTypeOf, quote, stringifyJson } from '@kubeadmit/go/internal';
import {
  levelProblem,
  type Mode,
  type NamespacePolicy,
  parseLevel,
  parseVersion,
  type Standard,
  versionProblem,
} from '@kubeadmit/pod-security/internal';
import { unregisteredKind } from '../../decode-errors.ts';

/** The configuration of the plugin (`PodSecurityConfiguration`). */
export interface PodSecurityConfiguration {
  /** The policy of namespaces without labels. */
  readonly defaults: NamespacePolicy;
  readonly exemptions: Exemptions;
}

/** Requests that the plugin allows without a look at their pods. */
export interface Exemptions {
  readonly namespaces: ReadonlySet<string>;
  readonly usernames: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
}

const privileged: Standard = { level: 'privileged', version: 'latest' };
const none: ReadonlySet<string> = new Set();

/** The configuration of a server without a file. */
export const defaultConfiguration: PodSecurityConfiguration = {
  defaults: { enforce: privileged, audit: privileged, warn: privileged },
  exemptions: { namespaces: none, usernames: none, runtimeClasses: none },
};

/**
 * Reads a `PodSecurityConfiguration`.
 *
 * @throws Error with kube-apiserver's text if it is invalid
 */
export function readConfiguration(configuration: KubernetesObject): PodSecurityConfiguration {
  requireKind(configuration);
  requireTypes(configuration);
  requireFields(configuration);
  const defaults = memberObject(configuration, 'defaults');
  const exemptions = memberObject(configuration, 'exemptions');
  const problems = [...defaultProblems(defaults), ...exemptionProblems(exemptions)];
  if (problems.length > 0) {
    const text = formatAggregate(problems.map(formatFieldError));
    throw new Error(`PodSecurity invalid: ${text}`);
  }
  const standard = (mode: Mode): Standard => ({
    level: parseLevel(textOr(defaults, mode, 'privileged')) ?? 'restricted',
    version: parseVersion(textOr(defaults, `${mode}-version`, 'latest')) ?? 'latest',
  });
  return {
    defaults: { enforce: standard('enforce'), audit: standard('audit'), warn: standard('warn') },
    exemptions: {
      namespaces: new Set(memberTexts(exemptions, 'namespaces')),
      usernames: new Set(memberTexts(exemptions, 'usernames')),
      runtimeClasses: new Set(memberTexts(exemptions, 'runtimeClasses')),
    },
  };
}

const modes = ['enforce', 'warn', 'audit'] as const;
const fields: Readonly<Record<'defaults' | 'exemptions', readonly string[]>> = {
  defaults: modes.flatMap((mode) => [mode, `${mode}-version`]),
  exemptions: ['namespaces', 'usernames', 'runtimeClasses'],
};

const versions = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `pod-security.admission.config.k8s.io/${version}`,
);

function requireKind(configuration: KubernetesObject): void {
  const { apiVersion, kind } = configuration;
  for (const [name, value] of Object.entries({ Kind: kind, apiVersion })) {
    if (typeof value === 'string' && value !== '') continue;
    throw new Error(`Object '${name}' is missing in '${stringifyJson(configuration)}'`);
  }
  if (kind === 'PodSecurityConfiguration' && versions.includes(String(apiVersion))) return;
  throw new Error(unregisteredKind(String(kind), String(apiVersion)));
}

/** The names of the Go types of both structs. */
const structs = { defaults: 'PodSecurityDefaults', exemptions: 'PodSecurityExemptions' } as const;

// A value of another type would leave pods unchecked.
function requireTypes(configuration: KubernetesObject): void {
  for (const name of ['defaults', 'exemptions'] as const) {
    const value = configuration[name] ?? {};
    const struct = structs[name];
    if (!isObject(value))
      throw wrongType(value, `PodSecurityConfiguration.${name}`, `v1.${struct}`);
    for (const [field, inner] of Object.entries(value)) {
      const place = `${struct}.${name}.${field}`;
      if (!fields[name].includes(field) || inner === null) continue;
      if (name === 'defaults') requireText(inner, place);
      else if (!Array.isArray(inner)) throw wrongType(inner, place, '[]string');
      else for (const each of inner) requireText(each, place);
    }
  }
}

function requireText(value: unknown, place: string): void {
  if (typeof value !== 'string' && value !== null) throw wrongType(value, place, 'string');
}

function wrongType(value: unknown, place: string, type: string): Error {
  return new Error(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${place} of type ${type}`,
  );
}

// A misspelled field would leave pods unchecked; kube-apiserver decodes strictly.
function requireFields(configuration: KubernetesObject): void {
  const known = ['apiVersion', 'kind', ...Object.keys(fields)];
  const unknown = unknownKeys(configuration, known, '');
  for (const [name, inner] of Object.entries(fields)) {
    unknown.push(...unknownKeys(memberObject(configuration, name), inner, `${name}.`));
  }
  if (unknown.length === 0) return;
  const texts = unknown.map((field) => `unknown field ${quote(field)}`);
  throw new Error(`strict decoding error: ${texts.join(', ')}`);
}

function unknownKeys(object: object, known: readonly string[], prefix: string): string[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => `${prefix}${key}`);
}

function textOr(object: KubernetesObject, name: string, fallback: string): string {
  return memberText(object, name) || fallback;
}

function defaultProblems(defaults: KubernetesObject): readonly FieldError[] {
  return modes.flatMap((mode) => {
    const level = textOr(defaults, mode, 'privileged');
    const version = textOr(defaults, `${mode}-version`, 'latest');
    return [
      ...(parseLevel(level) === undefined
        ? [invalid(`defaults.${mode}`, level, levelProblem)]
        : []),
      ...(parseVersion(version) === undefined
        ? [invalid(`defaults.${mode}-version`, version, versionProblem)]
        : []),
    ];
  });
}

function exemptionProblems(exemptions: KubernetesObject): readonly FieldError[] {
  return [
    ...listProblems(exemptions, 'namespaces', dns1123LabelProblems),
    ...listProblems(exemptions, 'runtimeClasses', dns1123SubdomainProblems),
    ...listProblems(exemptions, 'usernames', (name) =>
      name === '' ? ['username must not be empty'] : [],
    ),
  ];
}

function listProblems(
  exemptions: KubernetesObject,
  list: string,
  problemsOf: (name: string) => readonly string[],
): readonly FieldError[] {
  const names = memberTexts(exemptions, list);
  return names.flatMap((name, at) => {
    const path = `exemptions.${list}[${at}]`;
    const problems = problemsOf(name);
    if (problems.length > 0) return [invalid(path, name, problems.join(', '))];
    return names.indexOf(name) < at ? [duplicate(path, name)] : [];
  });
}
