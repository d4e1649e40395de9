import type { FieldError } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';

/** How the code of earlier versions words a field error, and until which minor version it does. */
interface EarlierText {
  readonly until: number;
  /** In the whole text, path and all, as the newest version has it. */
  readonly newest: RegExp;
  readonly earlier: string | ((...found: string[]) => string);
}

/**
 * Messages that earlier servers word differently, the newest first; recorded in `conformance/servers`. Messages in
 * which Go prints addresses of pointers keep the newest wording.
 */
const earlierTexts: readonly EarlierText[] = [
  // k8s.io/apimachinery: owner references have had places since 1.37, and the words of required fields.
  {
    until: 36,
    newest:
      /^(metadata\.ownerReferences)\[\d+\]\.apiVersion: (?:Required value|(Invalid value: .*)): must (?:not be empty|be <group>.*)$/s,
    earlier: (_, path, value = 'Invalid value: ""') =>
      `${path}.apiVersion: ${value}: version must not be empty`,
  },
  {
    until: 36,
    newest:
      /^(metadata\.ownerReferences)\[\d+\]\.(kind|name|uid): Required value: (must not be empty)$/,
    earlier: '$1.$2: Invalid value: "": $3',
  },
  { until: 36, newest: /^(metadata\.ownerReferences)\[\d+\]: /, earlier: '$1: ' },
  // k8s.io/apimachinery, util/validation
  {
    until: 34,
    newest: /a valid label key must consist of/g,
    earlier: 'a qualified name must consist of',
  },
  { until: 34, newest: /(must be no more than \d+) bytes/g, earlier: '$1 characters' },
  // k8s.io/apiserver and pkg/apis/admissionregistration/validation
  {
    until: 33,
    newest:
      /^(spec\.validations\[\d+\]\.message: .*: )(must (?:not contain line breaks|be non-empty if specified))$/s,
    earlier: '$1message $2',
  },
  {
    until: 33,
    newest: /: must be a valid CEL identifier$/,
    earlier: ': name is not a valid CEL identifier',
  },
  // k8s.io/apimachinery, util/validation/field: values were printed with `%#v`.
  {
    until: 33,
    newest: /^((?!metadata\.ownerReferences)[^:]*: Invalid value: )(\[.*\])(: [^\]]*)$/s,
    earlier: (_, head = '', list = '', rest = '') => head + goSyntax(head, list) + rest,
  },
  { until: 31, newest: /^spec\.matchResources\b/, earlier: 'spec.matchResouces' },
  { until: 31, newest: /(: must evaluate to [^'"]+?) but got \S+$/, earlier: '$1' },
  {
    until: 33,
    newest: /^(metadata\.ownerReferences\.(kind|name|uid): Invalid value: ""): must/,
    earlier: '$1: $2 must',
  },
];

/** Field errors as the code of a version words them; their types stay those of the newest. */
export function asWordedBy(code: number, errors: readonly FieldError[]): readonly FieldError[] {
  const rows = earlierTexts.filter(({ until }) => code <= until);
  return rows.length === 0 ? errors : errors.map((error) => reworded(error, rows));
}

function reworded(error: FieldError, rows: readonly EarlierText[]): FieldError {
  const text = `${error.field}: ${error.body}`;
  let worded = text;
  for (const { newest, earlier } of rows) {
    worded =
      typeof earlier === 'string'
        ? worded.replace(newest, earlier)
        : worded.replace(newest, earlier);
  }
  if (worded === text) return error;
  const end = worded.indexOf(': ');
  return { ...error, field: worded.slice(0, end), body: worded.slice(end + 2) };
}

const elementTypes: readonly (readonly [RegExp, string])[] = [
  [/\.operations:/, 'admissionregistration.OperationType'],
  [/^spec\.validationActions:/, 'admissionregistration.ValidationAction'],
  [/^spec\.auditAnnotations:/, 'admissionregistration.AuditAnnotation'],
  [/^/, 'string'],
];

/** A list of a field, given as JSON, as Go's `%#v` prints it. */
function goSyntax(head: string, json: string): string {
  const type = elementTypes.find(([path]) => path.test(head))?.[1] ?? '';
  const items = (JSON.parse(json) as readonly unknown[]).map((item) => {
    if (typeof item === 'string') return quote(item);
    const fields = Object.entries(item ?? {}).map(
      ([key, value]) => `${key}:${quote(String(value))}`,
    );
    return `${type}{${fields.join(', ')}}`;
  });
  return `[]${type}{${items.join(', ')}}`;
}
