import {
  type FieldError,
  formatFieldError,
  member,
  memberList,
  memberText,
  objectOf,
} from '@kubeadmit/apimachinery';
import { formatAggregate, invalid, notSupported } from '@kubeadmit/apimachinery/field-errors';
import { decodeKinds, knownKind } from '../../decode/decode-kinds.ts';
import { integerType, listType, stringType, structType } from '../../decode/decode-struct.ts';
import type { Warn } from '../plugin.ts';
import { warnIgnored } from '../warn-ignored.ts';

/** A limit on events of EventRateLimit's configuration. */
export interface EventLimit {
  /** `Server`, `Namespace`, `User` or `SourceAndObject`: each of them has its own bucket. */
  readonly type: string;
  readonly perSecond: number;
  readonly burst: number;
}

const version = 'eventratelimit.admission.k8s.io/v1alpha1';

const limit = structType('v1alpha1.Limit', {
  type: stringType('v1alpha1.LimitType'),
  qps: integerType('int32'),
  burst: integerType('int32'),
  cacheSize: integerType('int32'),
});

const kinds = [knownKind(version, 'Configuration', { fields: { limits: listType(limit) } })];

/**
 * Reads the limits of EventRateLimit's configuration (kubernetes eventratelimit `LoadConfiguration`).
 *
 * @throws Error with kube-apiserver's text if it is invalid
 */
export function readEventLimits(configuration: string, warn: Warn): readonly EventLimit[] {
  const { object, findings } = decodeKinds(configuration, kinds);
  const limits = memberList(object, 'limits').map(objectOf);
  if (limits.length === 0) throw new Error(limitsProblem(member(object, 'limits') ?? null));
  const problems = limits.flatMap((each, at) => problemsOf(each, `limits[${at}]`));
  if (problems.length > 0) throw new Error(formatAggregate(problems.map(formatFieldError)));
  warnIgnored(findings, warn);
  return limits.map((each) => ({
    type: memberText(each, 'type'),
    perSecond: integerOf(each, 'qps'),
    burst: integerOf(each, 'burst'),
  }));
}

/** The problem of a configuration without limits. */
export function limitsProblem(limits: unknown): string {
  return formatFieldError(invalid('limits', limits, 'must not be empty'));
}

// kube-apiserver lists them in no fixed order.
const types = ['Server', 'Namespace', 'User', 'SourceAndObject'];

function problemsOf(each: object, path: string): readonly FieldError[] {
  const type = memberText(each, 'type');
  const notPositive = (name: string): readonly FieldError[] => {
    const value = integerOf(each, name);
    return value > 0 ? [] : [invalid(`${path}.${name}`, value, 'must be positive')];
  };
  const cacheSize = integerOf(each, 'cacheSize');
  const isNegative = type !== 'Server' && cacheSize < 0;
  return [
    ...(types.includes(type) ? [] : [notSupported(`${path}.type`, type, types)]),
    ...notPositive('burst'),
    ...notPositive('qps'),
    ...(isNegative ? [invalid(`${path}.cacheSize`, cacheSize, 'must not be negative')] : []),
  ];
}

function integerOf(each: object, name: string): number {
  return Number(member(each, name) ?? 0);
}
