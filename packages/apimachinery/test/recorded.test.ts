import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { validateLabelSelector } from '../src/field-errors.ts';
import {
  compileLabelRequirements,
  compileLabelSelector,
  formatFieldError,
  type LabelSelector,
  labelSelectorProblem,
  matchesFields,
  parseFieldSelector,
  parseLabelSelector,
} from '../src/index.ts';
import { pathSegmentPrefixProblems } from '../src/names/name-rule.ts';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
} from '../src/names.ts';
import {
  addQuantities,
  approximateQuantity,
  compareQuantities,
  formatQuantity,
  integerOfQuantity,
  parseQuantity,
  roundUpQuantity,
  signOfQuantity,
  subtractQuantities,
} from '../src/quantity.ts';
import { compareSemver, formatSemver, parseSemver, parseVersionRange } from '../src/semver.ts';

/** A question to `k8s.io/apimachinery` 0.37.1 or `github.com/blang/semver/v4`, with its answer. */
interface Recorded {
  readonly subject: keyof typeof answers;
  /** The value to parse or check, and the value to compare it with. */
  readonly a?: string;
  readonly b?: string;
  /** Labels or fields. */
  readonly l?: Readonly<Record<string, string>>;
  readonly sel?: LabelSelector;
  readonly answer: Readonly<Record<string, unknown>>;
}

const answers = {
  names: ({ a = '' }: Recorded): object => ({
    dns1123Label: dns1123LabelProblems(a),
    dns1123Subdomain: dns1123SubdomainProblems(a),
    dns1035Label: dns1035LabelProblems(a),
    qualifiedName: qualifiedNameProblems(a),
    labelValue: labelValueProblems(a),
    pathSegment: pathSegmentProblems(a),
    pathSegmentPrefix: pathSegmentPrefixProblems(a),
  }),
  labelSelector: ({ a = '', l = {} }: Recorded): object => {
    const requirements = parseLabelSelector(a);
    if ('error' in requirements) return requirements;
    return { matches: compileLabelRequirements(requirements).matches(l) };
  },
  fieldSelector: ({ a = '', l = {} }: Recorded): object => {
    const requirements = parseFieldSelector(a);
    return 'error' in requirements ? requirements : { matches: matchesFields(requirements, l) };
  },
  asSelector: ({ sel = {}, l = {} }: Recorded): object => {
    const problems = validateLabelSelector(sel, 'spec').map(formatFieldError).sort();
    const error = labelSelectorProblem(sel);
    if (error !== undefined) return { problems, error };
    return { problems, matches: compileLabelSelector(sel).matches(l) };
  },
  semver: ({ a = '', b = '' }: Recorded): object => {
    const [version, other] = [parseSemver(a), parseSemver(b)];
    if ('error' in version || 'error' in other) return version;
    return { text: formatSemver(version), compare: compareSemver(version, other) };
  },
  range: ({ a = '', b = '' }: Recorded): object => {
    const [range, version] = [parseVersionRange(a), parseSemver(b)];
    return 'error' in range || 'error' in version ? range : { contains: range(version) };
  },
  quantity: ({ a = '', b = '' }: Recorded): object => {
    const [quantity, other] = [parseQuantity(a), parseQuantity(b)];
    if ('error' in quantity) return quantity;
    const integer = integerOfQuantity(quantity);
    const alone = {
      text: formatQuantity(quantity),
      sign: signOfQuantity(quantity),
      float: approximateQuantity(quantity),
      milli: formatQuantity(roundUpQuantity(quantity, -3)),
      ...(integer === undefined ? {} : { int: String(integer) }),
    };
    if ('error' in other) return alone;
    const sum = addQuantities(quantity, other);
    const difference = subtractQuantities(quantity, other);
    return {
      ...alone,
      compare: compareQuantities(quantity, other),
      sum: sum && formatQuantity(sum),
      difference: difference && formatQuantity(difference),
    };
  },
};

const recorded = readLines<Recorded>(new URL('recorded.ndjson', import.meta.url));

test.each(recorded)('%j', (question) => {
  expect(answers[question.subject](question)).toEqual(question.answer);
});
