import {
  type FieldError,
  formatFieldError,
  type KubernetesObject,
  memberObject,
  memberText,
  memberTexts,
} from '@kubeadmit/apimachinery';
import { duplicate, formatAggregate, invalid } from '@kubeadmit/apimachinery/field-errors';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import {
  levelProblem,
  parseLevel,
  parseVersion,
  type Standard,
  versionProblem,
} from '@kubeadmit/pod-security/standards';
import { decodeKindsStrictly, knownKind } from '../../decode/decode-kinds.ts';
import { type GoType, listType, stringType, structType } from '../../decode/decode-struct.ts';
import { InitializationError } from '../initialization-error.ts';
import { type Mode, modes, type NamespacePolicy } from './namespace-policy.ts';

/** The configuration of the plugin (`PodSecurityConfiguration`). */
export interface PodSecurityConfiguration {
  /** The policy of namespaces without labels. */
  readonly defaults: NamespacePolicy;
  readonly exemptions: Exemptions;
}

/** Requests that the plugin allows without evaluating their pods. */
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
 * Reads a `PodSecurityConfiguration`; an empty text is that of a server without a file.
 *
 * @throws Error with kube-apiserver's text if it is invalid
 */
export function readConfiguration(text: string): PodSecurityConfiguration {
  if (text === '') return defaultConfiguration;
  const { object: configuration } = decodeKindsStrictly(text, kinds);
  const defaults = memberObject(configuration, 'defaults');
  const exemptions = memberObject(configuration, 'exemptions');
  const problems = defaultProblems(defaults);
  if (problems.length > 0)
    throw new InitializationError(`PodSecurity configuration error: ${formatAggregate(problems)}`);
  const errors = exemptionErrors(exemptions).map(formatFieldError);
  if (errors.length > 0)
    throw new InitializationError(`PodSecurity invalid: ${formatAggregate(errors)}`);
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

const kinds = ['v1', 'v1beta1', 'v1alpha1'].map((version) => {
  const modesAndVersions = modes.flatMap((mode) => [mode, `${mode}-version`]);
  const lists = ['namespaces', 'usernames', 'runtimeClasses'];
  const fieldsOf = (names: readonly string[], type: GoType): Record<string, GoType> =>
    Object.fromEntries(names.map((name) => [name, type]));
  return knownKind(`pod-security.admission.config.k8s.io/${version}`, 'PodSecurityConfiguration', {
    fields: {
      defaults: structType(
        `${version}.PodSecurityDefaults`,
        fieldsOf(modesAndVersions, stringType()),
      ),
      exemptions: structType(
        `${version}.PodSecurityExemptions`,
        fieldsOf(lists, listType(stringType())),
      ),
    },
  });
});

function textOr(object: KubernetesObject, name: string, fallback: string): string {
  return memberText(object, name) || fallback;
}

/** Returns the problems of default standards (pod-security-admission `ToPolicy`). */
function defaultProblems(defaults: KubernetesObject): readonly string[] {
  return modes.flatMap((mode) => {
    const level = textOr(defaults, mode, 'privileged');
    const version = textOr(defaults, `${mode}-version`, 'latest');
    return [
      ...(parseLevel(level) === undefined ? [`${mode}: ${levelProblem}`] : []),
      ...(parseVersion(version) === undefined ? [`${mode}-version: ${versionProblem}`] : []),
    ];
  });
}

function exemptionErrors(exemptions: KubernetesObject): readonly FieldError[] {
  return [
    ...listErrors(exemptions, 'namespaces', dns1123LabelProblems),
    ...listErrors(exemptions, 'runtimeClasses', dns1123SubdomainProblems),
    ...listErrors(exemptions, 'usernames', (name) =>
      name === '' ? ['username must not be empty'] : [],
    ),
  ];
}

function listErrors(
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
