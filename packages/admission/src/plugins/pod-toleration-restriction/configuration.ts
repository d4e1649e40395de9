import {
  type FieldError,
  formatFieldError,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { invalid, notSupported } from '@kubeadmit/apimachinery/field-errors';
import { labelValueProblems, qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { decodeKinds, knownKind } from '../../decode/decode-kinds.ts';
import { integerType, listType, stringType, structType } from '../../decode/decode-struct.ts';
import type { Warn } from '../plugin.ts';
import { warnIgnored } from '../warn-ignored.ts';

/** The tolerations of the cluster, for namespaces without their own. */
export interface ClusterTolerations {
  readonly defaults: readonly unknown[] | undefined;
  readonly allowed: readonly unknown[] | undefined;
}

const toleration = structType('v1.Toleration', {
  key: stringType(),
  operator: stringType('v1.TolerationOperator'),
  value: stringType(),
  effect: stringType('v1.TaintEffect'),
  tolerationSeconds: integerType('int64'),
});

const kinds = [
  knownKind('podtolerationrestriction.admission.k8s.io/v1alpha1', 'Configuration', {
    fields: { default: listType(toleration), whitelist: listType(toleration) },
  }),
];

/**
 * Reads PodTolerationRestriction's configuration (kubernetes podtolerationrestriction `loadConfiguration`).
 *
 * @throws Error with kube-apiserver's text if it is invalid
 */
export function readClusterTolerations(configuration: string, warn: Warn): ClusterTolerations {
  const { object, findings } = decodeKinds(configuration, kinds);
  const listOf = (name: string): readonly unknown[] | undefined =>
    member(object, name) == null ? undefined : memberList(object, name).map((each) => each ?? {});
  const lists = { default: listOf('default'), whitelist: listOf('whitelist') };
  const problems = Object.entries(lists).flatMap(([name, list = []]) =>
    tolerationProblems(list, `podtolerationrestriction.${name}`),
  );
  if (problems.length > 0) {
    throw new Error(`invalid config: [${problems.map(formatFieldError).join(' ')}]`);
  }
  warnIgnored(findings, warn);
  return { defaults: lists.default, allowed: lists.whitelist };
}

/** Validates tolerations (kubernetes core validation `ValidateTolerations` without options). */
function tolerationProblems(list: readonly unknown[], path: string): readonly FieldError[] {
  return list.flatMap((each, at) => problemsOf(each, `${path}[${at}]`));
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function problemsOf(toleration: unknown, path: string): readonly FieldError[] {
  const text = (name: string): string => memberText(toleration, name);
  const problems: FieldError[] = [];
  if (text('key') !== '') {
    const keyProblems = qualifiedNameProblems(text('key'));
    problems.push(...keyProblems.map((why) => invalid(`${path}.key`, text('key'), why)));
  } else if (text('operator') !== 'Exists') {
    const why =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    problems.push(invalid(`${path}.operator`, text('operator'), why));
  }
  const effect = text('effect');
  if (member(toleration, 'tolerationSeconds') != null && effect !== 'NoExecute') {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    problems.push(invalid(`${path}.effect`, effect, why));
  }
  problems.push(...operatorProblems(text('operator'), text('value'), `${path}.operator`));
  if (effect !== '' && !effects.includes(effect)) {
    problems.push(notSupported(`${path}.effect`, effect, effects));
  }
  return problems;
}

function operatorProblems(operator: string, value: string, path: string): readonly FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? [] : [invalid(path, value, problems.join(';'))];
    }
    case 'Exists':
      return value === ''
        ? []
        : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return [notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}
