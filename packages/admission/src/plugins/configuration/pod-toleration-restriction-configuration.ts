import { formatFieldError, member } from '@kubeadmit/apimachinery';
import { memberList } from '@kubeadmit/apimachinery/internal';
import { decodeKinds, knownKind } from '../../decode-kinds.ts';
import { integerType, listType, stringType, structType } from '../../decode-struct.ts';
import type { Warn } from '../plugin.ts';
import { tolerationProblems } from './toleration-problems.ts';
import { warnIgnored } from './warn-ignored.ts';

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
