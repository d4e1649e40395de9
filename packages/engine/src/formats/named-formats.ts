import { isBase64, isDate, isDateTime, isUuid } from '@kubeadmit/apimachinery';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  maskTrailingDash,
  qualifiedNameProblems,
} from '@kubeadmit/apimachinery/names';
import { requestUriError } from '@kubeadmit/go';

/** A format that CEL can name and check texts against. */
export interface NamedFormat {
  /** The name that makes two formats equal. */
  readonly name: string;
  /** Returns the problems of a string; an empty list if it is valid. */
  readonly problems: (text: string) => readonly string[];
  /** The length of the regular expression that a check costs as much as. */
  readonly regexSize: number;
}

function simple(isValid: (text: string) => boolean, problem: string): NamedFormat['problems'] {
  return (text) => (isValid(text) ? [] : [problem]);
}

function uriProblems(text: string): readonly string[] {
  const problem = requestUriError(text);
  return problem === undefined ? [] : [problem.error];
}

function ofPrefix(problems: NamedFormat['problems']): NamedFormat['problems'] {
  return (text) => problems(maskTrailingDash(text));
}

type FormatRow = readonly [
  called: string,
  name: string,
  problems: NamedFormat['problems'],
  regexSize: number,
];

const rows: readonly FormatRow[] = [
  ['dns1123Label', 'DNS1123Label', dns1123LabelProblems, 30],
  ['dns1123Subdomain', 'DNS1123Subdomain', dns1123SubdomainProblems, 60],
  ['dns1035Label', 'DNS1035Label', dns1035LabelProblems, 30],
  ['qualifiedName', 'QualifiedName', qualifiedNameProblems, 60],
  ['dns1123LabelPrefix', 'DNS1123LabelPrefix', ofPrefix(dns1123LabelProblems), 30],
  ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', ofPrefix(dns1123SubdomainProblems), 60],
  ['dns1035LabelPrefix', 'DNS1035LabelPrefix', ofPrefix(dns1035LabelProblems), 30],
  ['labelValue', 'LabelValue', labelValueProblems, 40],
  ['uri', 'URI', uriProblems, 1103],
  ['uuid', 'uuid', simple(isUuid, 'does not match the UUID format'), 70],
  ['byte', 'byte', simple(isBase64, 'invalid base64'), 84],
  ['date', 'date', simple(isDate, 'invalid date'), 71],
  ['datetime', 'datetime', simple(isDateTime, 'invalid datetime'), 71],
];

/** The formats of `format.named(…)` by name (apiserver's pkg/cel/library/format.go). */
export const namedFormats: ReadonlyMap<string, NamedFormat> = new Map(
  rows.map(([called, name, problems, regexSize]) => [called, { name, problems, regexSize }]),
);
