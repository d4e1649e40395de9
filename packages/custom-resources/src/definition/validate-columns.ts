import { type JsonObject, memberText } from '@kubeadmit/apimachinery';
import { childPath, type Finding, invalid, required } from '../schema/finding.ts';
import { innerOf } from '../schema/schema.ts';

const columnTypes: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats: readonly string[] =
  'byte date date-time double float int32 int64 password'.split(' ');

/** Checks one column of `kubectl get` (apiextensions, `ValidateCustomResourceColumnDefinition`). */
export function validateColumn(column: JsonObject, path: string): Finding[] {
  const findings: Finding[] = [];
  const [type, format] = [memberText(column, 'type'), memberText(column, 'format')];
  if (memberText(column, 'name') === '') findings.push(required(childPath(path, 'name')));
  const detail = `must be one of ${columnTypes.join(',')}`;
  if (type === '') findings.push(required(childPath(path, 'type'), detail));
  else if (!columnTypes.includes(type)) {
    findings.push(invalid(childPath(path, 'type'), type, detail));
  }
  if (format !== '' && !columnFormats.includes(format)) {
    const wanted = `must be one of ${columnFormats.join(',')}`;
    findings.push(invalid(childPath(path, 'format'), format, wanted));
  }
  const at = childPath(path, 'JSONPath');
  const text = memberText(column, 'jsonPath');
  return [...findings, ...(text === '' ? [required(at)] : validateJsonPath(text, at))];
}

/** Checks the paths of the scale subresource. */
export function validateSubresources(
  subresources: JsonObject | undefined,
  path: string,
): Finding[] {
  const scale = subresources && innerOf(subresources, 'scale');
  if (!scale) return [];
  const check = (key: string, prefixes: readonly string[], detail: string): Finding[] => {
    const at = childPath(path, `scale.${key}`);
    const text = memberText(scale, key);
    if (text === '') return key === 'labelSelectorPath' ? [] : [required(at)];
    const wrong = validateJsonPath(text, at);
    if (wrong.length > 0) return wrong;
    return prefixes.some((prefix) => text.startsWith(prefix)) ? [] : [invalid(at, text, detail)];
  };
  return [
    ...check('specReplicasPath', ['.spec.'], 'should be a json path under .spec'),
    ...check('statusReplicasPath', ['.status.'], 'should be a json path under .status'),
    ...check(
      'labelSelectorPath',
      ['.spec.', '.status.'],
      'should be a json path under either .spec or .status',
    ),
  ];
}

function validateJsonPath(text: string, path: string): Finding[] {
  return text.startsWith('.')
    ? []
    : [invalid(path, text, 'must be a simple json path starting with .')];
}
