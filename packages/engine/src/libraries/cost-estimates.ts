import {
  type CallEstimate,
  type CallPart,
  type Estimate,
  fixed,
  greatest,
  product,
  scaled,
  sum,
  union,
  unknownSize,
} from '@kubeadmit/cel/estimate';
import { isSameType } from '@kubeadmit/cel/types';

const traversal = 0.1;
const regexFactor = 0.25;
const longestFormatRegex = 128;
const formatSize = 64n;
const one: CallEstimate = { cost: fixed(1) };
const addressSize: Estimate = { min: 4n, max: 16n };

const cheap: ReadonlySet<string> = new Set(
  'serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery'.split(
    ' ',
  ),
);

function sizeOf(part: CallPart | undefined): Estimate {
  return part?.size ?? unknownSize;
}

function linear(part: CallPart | undefined, factor = traversal): CallEstimate {
  return { cost: scaled(sizeOf(part), factor) };
}

/** A call, as its estimate sees it. */
interface Call {
  readonly name: string;
  readonly overload: string;
  readonly target: CallPart | undefined;
  readonly parts: readonly CallPart[];
  readonly first: CallPart | undefined;
  readonly second: CallPart | undefined;
}

type EstimateCall = (call: Call) => CallEstimate | undefined;

/** The estimate of each group of functions. */
const rows: readonly (readonly [functions: string, estimate: EstimateCall])[] = [
  ['check', () => ({ cost: fixed(350_000) })],
  [
    'fieldSelector labelSelector',
    ({ parts, first }) => (parts.length === 1 ? { cost: selectorCost(sizeOf(first)) } : undefined),
  ],
  [
    'isSorted sum max min indexOf lastIndexOf includes',
    ({ name, target }) => target && traversalOf(name, target),
  ],
  [
    'url jsonpatch.escapeKey',
    ({ first, parts }) =>
      first && parts.length === 1 ? { ...linear(first), size: sizeOf(first) } : undefined,
  ],
  [
    'lowerAscii upperAscii substring trim',
    ({ target }) => target && { ...linear(target), size: sizeOf(target) },
  ],
  [
    'replace',
    ({ target, parts, first, second }) =>
      target && parts.length >= 2 ? replacement(target, sizeOf(first), sizeOf(second)) : undefined,
  ],
  ['split', ({ target, second }) => target && splitting(target, second?.literal)],
  ['join', ({ target, first }) => target && joining(target, first)],
  ['find findAll', ({ target, first }) => target && first && search(target, first)],
  ['ip', ({ overload, first }) => (overload === 'cidr_ip' ? one : first && linear(first))],
  ['cidr isIP isCIDR quantity isQuantity semver isSemver', ({ first }) => first && linear(first)],
  ['ip.isCanonical', ({ first }) => first && linear(first, 2 * traversal)],
  [
    'containsIP containsCIDR',
    ({ name, overload, first }) => first && containment(name, overload, first),
  ],
  [
    'validate',
    ({ first }) =>
      first && { cost: scaled(scaled(sizeOf(first), traversal), longestFormatRegex * regexFactor) },
  ],
  ['_==_', ({ first, second }) => first && second && equality(first, second)],
];

const estimates: ReadonlyMap<string, EstimateCall> = new Map(
  rows.flatMap(([functions, estimate]) => functions.split(' ').map((name) => [name, estimate])),
);

/** The functions for which Kubernetes estimates a cost other than that of the language. */
export const estimatedFunctions: ReadonlySet<string> = new Set([...cheap, ...estimates.keys()]);

/**
 * Returns kube-apiserver's estimate for a call of one of its functions (apiserver, `library.CostEstimator`), or
 * `undefined` if the language's estimate applies.
 */
export function estimateKubernetesCall(
  name: string,
  overload: string,
  target: CallPart | undefined,
  parts: readonly CallPart[],
): CallEstimate | undefined {
  if (cheap.has(name)) return one;
  const [first, second] = parts;
  return estimates.get(name)?.({ name, overload, target, parts, first, second });
}

function selectorCost(length: Estimate): Estimate {
  const requirements = scaled(length, 0.5);
  return sum(fixed(10), scaled(length, traversal), scaled(requirements, 50));
}

function traversalOf(name: string, target: CallPart): CallEstimate {
  const size = sizeOf(target);
  const { element } = target;
  if (element) {
    const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
    const each = isText ? sum(fixed(1), scaled(element.size, traversal)) : fixed(1);
    return { cost: product(size, each) };
  }
  return { cost: name === 'includes' ? product(size, fixed(1)) : scaled(size, traversal) };
}

function replacement(target: CallPart, wanted: Estimate, by: Estimate): CallEstimate {
  const size = sizeOf(target);
  const more = (count: bigint): bigint => (count < greatest ? count + 1n : count);
  const ratio = (count: bigint, each: bigint): bigint =>
    BigInt(Math.min(Math.ceil(Number(count) / Number(each)), 2 ** 63));
  const most =
    wanted.min === 0n
      ? { count: more(size.max), kept: size.max }
      : by.max <= wanted.min
        ? { count: 0n, kept: size.max }
        : { count: ratio(size.max, wanted.min), kept: 0n };
  const least =
    wanted.max === 0n
      ? { count: more(size.min), kept: size.min }
      : wanted.max <= by.min
        ? { count: 0n, kept: size.min }
        : { count: ratio(size.min, wanted.max), kept: 0n };
  const result = sum(product({ min: least.count, max: most.count }, by), {
    min: least.kept,
    max: most.kept,
  });
  return { ...linear(target, 2 * traversal), size: result };
}

function splitting(target: CallPart, limit: bigint | undefined): CallEstimate {
  const max = limit === undefined ? sizeOf(target).max : BigInt.asUintN(64, limit);
  return { ...linear(target, 2 * traversal), size: { min: 0n, max } };
}

function search(target: CallPart, pattern: CallPart): CallEstimate {
  const text = scaled(sum(sizeOf(target), fixed(1)), traversal);
  const cost = product(text, scaled(sizeOf(pattern), regexFactor));
  return { cost, size: { min: 0n, max: sizeOf(target).max } };
}

function joining(target: CallPart, separator: CallPart | undefined): CallEstimate {
  const count = sizeOf(target);
  const items = target.element ? product(count, target.element.size) : fixed(0);
  const before = (value: bigint): bigint => (value > 0n ? value - 1n : 0n);
  const separators = { min: before(count.min), max: before(count.max) };
  const size = separator ? sum(items, product(sizeOf(separator), separators)) : items;
  return { cost: scaled(size, traversal), size };
}

function containment(name: string, overload: string, other: CallPart): CallEstimate {
  const isText = overload === 'cidr_contains_ip_string' || overload === 'cidr_contains_cidr_string';
  const cost = sum(
    scaled(sum(addressSize, addressSize), traversal),
    name === 'containsCIDR' ? sum(scaled(addressSize, traversal), fixed(1)) : fixed(0),
    isText ? scaled(sizeOf(other), traversal) : fixed(0),
  );
  return { cost };
}

const constantEquality: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

function equality(left: CallPart, right: CallPart): CallEstimate | undefined {
  if (!isSameType(left.type, right.type)) return undefined;
  const { name } = left.type;
  if (constantEquality.has(name)) return one;
  if (name === 'kubernetes.NamedFormat') {
    return { cost: scaled({ min: 1n, max: formatSize }, traversal) };
  }
  if (name !== 'kubernetes.URL') return undefined;
  const size = right.size ? union(right.size, right.size) : fixed(1);
  return { cost: scaled({ min: 1n, max: size.max }, traversal) };
}
