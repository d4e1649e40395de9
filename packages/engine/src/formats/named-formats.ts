import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  isBase64,
  isDate,
  isDateTime,
  isUuid,
  labelValueProblems,
  maskTrailingDash,
  qualifiedNameProblems,
} from '@kubeadmit/apimachinery/internal';
import { requestUriError } from '@kubeadmit/go/internal';

/** A format that CEL can name and check texts against. */
export interface NamedFormat {
  /** The name that makes two formats equal. */
  readonly name: string;
  /** What is wrong with a text; empty when nothing is. */
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

/** The formats of `format.named(…)` by name (apiserver's pkg/cel/library/format.go). */
export const namedFormats: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ['dns1123Label', { name: 'DNS1123Label', problems: dns1123LabelProblems, regexSize: 30 }],
  [
    'dns1123Subdomain',
    { name: 'DNS1123Subdomain', problems: dns1123SubdomainProblems, regexSize: 60 },
  ],
  ['dns1035Label', { name: 'DNS1035Label', problems: dns1035LabelProblems, regexSize: 30 }],
  ['qualifiedName', { name: 'QualifiedName', problems: qualifiedNameProblems, regexSize: 60 }],
  [
    'dns1123LabelPrefix',
    {
      name: 'DNS1123LabelPrefix',
      problems: (text) => dns1123LabelProblems(maskTrailingDash(text)),
      regexSize: 30,
    },
  ],
  [
    'dns1123SubdomainPrefix',
    {
      name: 'DNS1123SubdomainPrefix',
      problems: (text) => dns1123SubdomainProblems(maskTrailingDash(text)),
      regexSize: 60,
    },
  ],
  [
    'dns1035LabelPrefix',
    {
      name: 'DNS1035LabelPrefix',
      problems: (text) => dns1035LabelProblems(maskTrailingDash(text)),
      regexSize: 30,
    },
  ],
  ['labelValue', { name: 'LabelValue', problems: labelValueProblems, regexSize: 40 }],
  ['uri', { name: 'URI', problems: uriProblems, regexSize: 1103 }],
  [
    'uuid',
    { name: 'uuid', problems: simple(isUuid, 'does not match the UUID format'), regexSize: 70 },
  ],
  ['byte', { name: 'byte', problems: simple(isBase64, 'invalid base64'), regexSize: 84 }],
  ['date', { name: 'date', problems: simple(isDate, 'invalid date'), regexSize: 71 }],
  [
    'datetime',
    { name: 'datetime', problems: simple(isDateTime, 'invalid datetime'), regexSize: 71 },
  ],
]);
